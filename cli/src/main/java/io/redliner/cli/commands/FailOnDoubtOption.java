// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The option that fails a pipeline when a check doubts a capacity. */
final class FailOnDoubtOption {

    @Option(names = "--fail-on-doubt", description = "End with 98 when a capacity was found and a check of the measurement does not hold.")
    private boolean failOnDoubt;

    /** Returns the exit code of a run, given its own. */
    int code(int own, ControllerClient controller, String path) throws IOException, InterruptedException {
        return failOnDoubt && own == 0 && !controller.get(path).at("/result/doubts").isEmpty()
                ? ExitCode.INCONCLUSIVE.code()
                : own;
    }
}

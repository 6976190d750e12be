// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import picocli.CommandLine.Option;

/** Lets a pipeline see that a check doubts a capacity. */
final class FailOnDoubtOption {

    @Option(names = "--fail-on-doubt", description = "End with 98 when a capacity was found and a check of the measurement does not hold.")
    private boolean failOnDoubt;

    /** The code that a run ends with, given its own. */
    int code(int own, ControllerClient controller, String path) throws IOException, InterruptedException {
        return failOnDoubt && own == 0 && !controller.get(path).at("/result/doubts").isEmpty()
                ? ExitCode.INCONCLUSIVE.code()
                : own;
    }
}

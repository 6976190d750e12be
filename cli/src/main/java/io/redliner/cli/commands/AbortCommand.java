// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner abort}: ends a run. */
@Command(name = "abort", mixinStandardHelpOptions = true, description = "Brings traffic back and ends a run, or a series with its run.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
    "0:the controller took it; with --wait, the run is over", "1:it did not",
    "2:the command line cannot be understood"})
final class AbortCommand extends RunActionCommand {

    @Option(names = "--wait", description = "Wait until traffic is restored and the run is over.")
    private boolean wait;

    AbortCommand() {
        super("abort", "The run is being aborted.");
    }

    @Override
    JsonNode send(ControllerClient controller, String path, ObjectNode order)
            throws IOException, InterruptedException {
        return controller.abort(path, order, this::print);
    }

    @Override
    boolean isForSeries() {
        return true;
    }

    @Override
    boolean waits() {
        return wait;
    }
}

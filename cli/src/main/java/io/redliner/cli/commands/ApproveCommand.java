// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import picocli.CommandLine.Command;

/** {@code redliner approve}. */
@Command(name = "approve", mixinStandardHelpOptions = true, description = "Lets a run begin that waits for a second person.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
    "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
final class ApproveCommand extends RunActionCommand {

    ApproveCommand() {
        super("approve", "The run is approved.");
    }
}

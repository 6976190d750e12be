// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import picocli.CommandLine.Command;

/** {@code redliner resume}. */
@Command(name = "resume", mixinStandardHelpOptions = true, description = "Lets a paused run go on.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
    "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
final class ResumeCommand extends RunActionCommand {

    ResumeCommand() {
        super("resume", "The run is being resumed.");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import picocli.CommandLine.Command;

/** {@code redliner pause}. */
@Command(name = "pause", mixinStandardHelpOptions = true, description = "Brings traffic back and lets a run wait; its longest duration goes on.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
    "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
final class PauseCommand extends RunActionCommand {

    PauseCommand() {
        super("pause", "The run is being paused.");
    }
}

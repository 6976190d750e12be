// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import picocli.CommandLine.Command;

/** {@code redliner pause}. */
@Command(name = "pause", mixinStandardHelpOptions = true, description = {
    "Brings traffic to its natural share and lets a run wait until somebody resumes it.",
    "Its longest duration goes on; a guard, a changed fleet or lost telemetry ends it, too."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
final class PauseCommand extends RunActionCommand {

    PauseCommand() {
        super("pause", "The run is being paused.");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.TerminalSafeText;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A command that changes a run by hand, and is not carried out without a reason, which the audit log keeps. */
abstract class RunActionCommand extends ControllerCommand {

    @Mixin
    private final RunIdParameter run = new RunIdParameter();

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; kept in the audit log.")
    private String reason = "";

    private final String verb;

    private final String done;

    /**
     * Creates a command.
     *
     * @param verb of the API
     * @param done the line that is printed when the controller accepted it
     */
    RunActionCommand(String verb, String done) {
        this.verb = verb;
        this.done = done;
    }

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        RunIdParameter.Found<JsonNode> sent = run.find(controller, RunIdPrefix.RUNS_ALONE,
                path -> controller.post(path + ":" + verb, controller.object().put("reason", reason)));
        String phase = TerminalSafeText.text(sent.view().path("phase"));
        options.print(sent.view(), List.of(done + (phase.isEmpty() ? "" : " It was " + phase + ".")
                + " See: redliner status " + sent.id()));
        return 0;
    }

    /** {@code redliner pause}. */
    @Command(name = "pause", mixinStandardHelpOptions = true, description = {
        "Brings traffic to its natural share and lets a run wait until somebody resumes it.",
        "Its longest duration goes on; a guard, a changed fleet or lost telemetry ends it, too."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
            "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
    static final class Pause extends RunActionCommand {

        Pause() {
            super("pause", "The run is being paused.");
        }
    }

    /** {@code redliner resume}. */
    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Lets a paused run go on.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
    static final class Resume extends RunActionCommand {

        Resume() {
            super("resume", "The run is being resumed.");
        }
    }

    /** {@code redliner approve}. */
    @Command(name = "approve", mixinStandardHelpOptions = true, description = "Lets a run begin that waits for a second person.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
    static final class Approve extends RunActionCommand {

        Approve() {
            super("approve", "The run is approved.");
        }
    }
}

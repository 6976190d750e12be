// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.TerminalSafeText;
import io.redliner.cli.watch.RunFollower;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A command that changes a run by hand. The audit log keeps its reason. */
abstract class RunActionCommand implements Callable<Integer> {

    @Mixin
    private final RunIdParameter run = new RunIdParameter();

    @Mixin
    private final ClientOptions options = new ClientOptions();

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
    public Integer call() throws IOException, InterruptedException {
        try (ControllerClient controller = options.connect()) {
            ObjectNode order = controller.object();
            String reason = reason();
            if (reason != null) {
                order.put("reason", reason);
            }
            RunIdParameter.Request request = address -> send(controller, address + ":" + verb, order);
            String path = "/api/v1/runs/" + run.id();
            // The run is not looked up first, because an abort also works while the controller has lost its database.
            RunIdParameter.Found sent = isForSeries()
                    ? run.find(request)
                    : new RunIdParameter.Found(path, request.send(path));
            if (waits()) {
                // The exit code says whether the run was ended, not how the run itself went.
                int code = options.follow(controller, sent.path(), sent.view(), false, List.of(done));
                return code == RunFollower.DETACHED ? code : 0;
            }
            String phase = TerminalSafeText.text(sent.view().path("phase"));
            options.print(sent.view(), List.of(done + (phase.isEmpty() ? "" : " It was " + phase + ".")
                    + " See: redliner status " + run.id()));
            return 0;
        }
    }

    /** Returns the reason; null when the user gave none. */
    abstract @Nullable String reason();

    /** Sends the action, and returns the controller's answer. */
    JsonNode send(ControllerClient controller, String path, ObjectNode order)
            throws IOException, InterruptedException {
        return controller.post(path, order);
    }

    /** Prints a line for people. */
    void print(String line) {
        options.err().println(line);
        options.err().flush();
    }

    /** Returns whether the command applies to a series as well. */
    boolean isForSeries() {
        return false;
    }

    /** Returns whether the command waits for the end of the run. */
    boolean waits() {
        return false;
    }

    /** An action that is not done without a reason. */
    abstract static class ExplainedCommand extends RunActionCommand {

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; kept in the audit log.")
        private String reason = "";

        ExplainedCommand(String verb, String done) {
            super(verb, done);
        }

        @Override
        String reason() {
            return reason;
        }
    }

    /** {@code redliner abort}: ends a run. */
    @Command(name = "abort", mixinStandardHelpOptions = true, description = "Brings traffic back and ends a run, or a series with its run.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the controller took it; with --wait, the run is over", "1:it did not",
        "2:the command line cannot be understood"})
    static final class Abort extends RunActionCommand {

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the audit log. May be left out.")
        private @Nullable String reason;

        @Option(names = "--wait", description = "Wait until traffic is restored and the run is over.")
        private boolean wait;

        Abort() {
            super("abort", "The run is being aborted.");
        }

        @Override
        @Nullable
        String reason() {
            return reason;
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

    /** {@code redliner pause}. */
    @Command(name = "pause", mixinStandardHelpOptions = true, description = {
        "Brings traffic to its natural share and lets a run wait until somebody resumes it.",
        "Its longest duration goes on; a guard, a changed fleet or lost telemetry ends it, too."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
            "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
    static final class Pause extends ExplainedCommand {

        Pause() {
            super("pause", "The run is being paused.");
        }
    }

    /** {@code redliner resume}. */
    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Lets a paused run go on.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
    static final class Resume extends ExplainedCommand {

        Resume() {
            super("resume", "The run is being resumed.");
        }
    }

    /** {@code redliner approve}. */
    @Command(name = "approve", mixinStandardHelpOptions = true, description = "Lets a run begin that waits for a second person.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the controller took it", "1:it did not", "2:the command line cannot be understood"})
    static final class Approve extends ExplainedCommand {

        Approve() {
            super("approve", "The run is approved.");
        }
    }
}

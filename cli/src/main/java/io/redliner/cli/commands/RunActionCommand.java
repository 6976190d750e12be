// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import io.redliner.cli.client.TerminalSafeText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A command that changes a run by hand, for a reason that the audit log keeps. */
abstract class RunActionCommand implements Callable<Integer> {

    @Mixin
    private final RunIdParameter run = new RunIdParameter();

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; kept in the audit log.")
    private String reason = "";

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
            ObjectNode order = controller.object().put("reason", reason);
            String path = "/api/v1/runs/" + run.id();
            JsonNode view;
            try {
                // Without a look first: an abort works when the controller has lost its database, too.
                view = send(controller, path + ":" + verb, order);
            } catch (RequestRejectedException rejected) {
                if (!rejected.notFound() || !isForSeries()) {
                    throw rejected;
                }
                path = "/api/v1/series/" + run.id();
                view = ofSeries(controller, path, order, rejected);
            }
            if (waits()) {
                return new RunFollower(options, controller, false).until(path, done);
            }
            String phase = TerminalSafeText.text(view.path("phase"));
            options.print(view, List.of(done + (phase.isEmpty() ? "" : " It was " + phase + ".")
                    + " See: redliner status " + run.id()));
            return 0;
        }
    }

    private JsonNode ofSeries(ControllerClient controller, String path, ObjectNode order,
            RequestRejectedException noRun)
            throws IOException, InterruptedException {
        try {
            return send(controller, path + ":" + verb, order);
        } catch (RequestRejectedException rejected) {
            throw rejected.notFound() ? noRun : rejected;
        }
    }

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
}

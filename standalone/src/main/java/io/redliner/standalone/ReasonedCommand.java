// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.standalone.remote.Controller;
import io.redliner.standalone.remote.Plain;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What is done to a run by hand, for a reason that lands in the audit log. */
abstract class ReasonedCommand implements Callable<Integer> {

    @Mixin
    private final RunId run = new RunId();

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; kept in the audit log.")
    private String reason = "";

    @Mixin
    private final RemoteOptions options = new RemoteOptions();

    private final String verb;

    private final String done;

    /**
     * For subclasses.
     *
     * @param verb of the API
     * @param done what is said when it was taken
     */
    ReasonedCommand(String verb, String done) {
        this.verb = verb;
        this.done = done;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Controller controller = options.connect()) {
            String path = path(controller);
            JsonNode view = controller.post(path + ":" + verb, controller.object().put("reason", reason));
            String id = path.substring(path.lastIndexOf('/') + 1);
            if (waits()) {
                return new Following(options, controller, false).until(path, done);
            }
            String phase = Plain.text(view.path("phase"));
            options.print(view, List.of(done + (phase.isEmpty() ? "" : " It was " + phase + ".")
                    + " See: redliner status " + id));
            return 0;
        }
    }

    /** Only an abort is also of a series; it is not held up by a look first. */
    private String path(Controller controller) throws IOException, InterruptedException {
        return run.find(controller).path();
    }

    /** Whether the command ends with the run. */
    boolean waits() {
        return false;
    }
}

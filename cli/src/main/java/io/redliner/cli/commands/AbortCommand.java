// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.text;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import io.redliner.cli.watch.RunFollower;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner abort}: ends one run, the runs of a service, or all of them. */
@Command(name = "abort", mixinStandardHelpOptions = true, description = {
    "Brings traffic back and ends a run, or a series with its run.",
    "redliner stop ends all of them, too, and lets no other begin."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the controller took it, or nothing was under way; with --wait, the runs are over",
        "1:it did not take it, or not all of it", "2:the command line cannot be understood",
        "130:with --wait: Ctrl-C was pressed"})
final class AbortCommand extends ControllerCommand {

    /** Looks for what is under way: two, when nothing begins meanwhile. */
    private static final int MAX_LOOKS = 5;

    private static final String DONE = "The run is being aborted.";

    /** Runs to abort: one of these is given. */
    static final class Target {

        @Parameters(paramLabel = "RUN", description = RunIdParameter.DESCRIPTION)
        private @Nullable String run;

        @Option(names = "--service", required = true, paramLabel = "SERVICE", description = "All that is under way of this service.")
        private @Nullable String service;

        @Option(names = "--live", required = true, description = "All that is under way.")
        private boolean live;
    }

    /**
     * An abort that the controller took.
     *
     * @param path of the run or the series
     * @param view the controller's answer
     */
    private record Aborted(String path, JsonNode view) {}

    /**
     * The aborts of several.
     *
     * @param refused those that the controller did not take, or that have no answer
     * @param seen ids of all that were under way
     */
    private record Outcome(List<Aborted> taken, List<Aborted> refused, Set<String> seen) {

        ObjectNode document(ObjectNode empty) {
            ArrayNode items = empty.putArray("aborted");
            taken.forEach(one -> items.add(one.view));
            ArrayNode others = empty.putArray("notAborted");
            refused.forEach(one -> others.add(one.view));
            return empty;
        }
    }

    @ArgGroup(multiplicity = "1")
    private Target target = new Target();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the audit log. May be left out.")
    private @Nullable String reason;

    @Option(names = "--wait", description = "Wait until traffic is restored and the run is over.")
    private boolean wait;

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        return target.run == null ? all(controller) : one(controller, target.run);
    }

    private int one(ControllerClient controller, String run) throws IOException, InterruptedException {
        RunIdParameter.Found<JsonNode> sent = RunIdParameter.find(run, spec, controller, RunIdPrefix.RUNS_AND_SERIES,
                path -> send(controller, path));
        if (wait) {
            return waitFor(controller, new Aborted(sent.path(), sent.view()), DONE);
        }
        String phase = text(sent.view().path("phase"));
        options.print(sent.view(), List.of(DONE + (phase.isEmpty() ? "" : " It was " + phase + ".")
                + " See: redliner status " + sent.id()));
        return 0;
    }

    /** Waits for the end. The exit code says whether it was awaited, not how the run itself went. */
    private int waitFor(ControllerClient controller, Aborted aborted, String line)
            throws IOException, InterruptedException {
        int code = options.follow(controller, aborted.path, aborted.view, false, List.of(line));
        return code == RunFollower.DETACHED ? code : 0;
    }

    private JsonNode send(ControllerClient controller, String path) throws IOException, InterruptedException {
        ObjectNode order = controller.object();
        if (reason != null) {
            order.put("reason", reason);
        }
        return controller.abort(path + ":abort", order, options::note);
    }

    private int all(ControllerClient controller) throws IOException, InterruptedException {
        Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>(), new HashSet<>());
        boolean complete = abortLive(controller, outcome) && outcome.refused.isEmpty();
        if (outcome.seen.isEmpty()) {
            options.requireService(controller, target.service);
        }
        if (!wait || outcome.taken.isEmpty()) {
            options.print(outcome.document(controller.object()), lines(outcome));
        }
        for (Aborted one : wait ? outcome.taken : List.<Aborted>of()) {
            if (waitFor(controller, one, describe(one)) == RunFollower.DETACHED) {
                return RunFollower.DETACHED;
            }
        }
        return complete ? 0 : spec.exitCodeOnExecutionException();
    }

    private List<String> lines(Outcome outcome) {
        List<String> lines = new ArrayList<>(outcome.taken.stream().map(AbortCommand::describe).toList());
        if (!outcome.refused.isEmpty()) {
            lines.add("NOT aborted: " + outcome.refused.size() + " of "
                    + (outcome.refused.size() + outcome.taken.size()) + ". They go on, or may go on.");
        }
        if (lines.isEmpty()) {
            lines.add(outcome.seen.isEmpty()
                    ? "Nothing is under way" + (target.live ? "." : " of " + target.service + ".")
                    : "All that is under way was ending already.");
        }
        return lines;
    }

    /**
     * Aborts what is under way, and looks again until it finds nothing new: a run may begin, or change its phase, between two
     * requests. Returns whether it came to that.
     */
    private boolean abortLive(ControllerClient controller, Outcome outcome) throws IOException, InterruptedException {
        for (int look = 0; look < MAX_LOOKS; look++) {
            int before = outcome.seen.size();
            List<Aborted> live;
            try {
                live = live(controller);
            } catch (IOException failure) {
                if (look == 0) {
                    throw failure;
                }
                options.note("redliner abort: " + failure.getMessage());
                return false;
            }
            for (Aborted one : live) {
                if (outcome.seen.add(text(one.view.path("id"))) && isAborted(controller, one, outcome)) {
                    // The run of a series ends with it.
                    one.view.path("members").forEach(member -> outcome.seen.add(text(member.path("runId"))));
                }
            }
            if (look > 0 && outcome.seen.size() == before) {
                return true;
            }
        }
        options.note("redliner abort: others begin again and again; redliner stop ends all, and lets no other begin");
        return false;
    }

    /** Returns the series and the runs that are under way, the series first. */
    private List<Aborted> live(ControllerClient controller) throws IOException, InterruptedException {
        List<Aborted> live = new ArrayList<>();
        try {
            LiveRuns.series(controller, target.service)
                    .forEach(view -> live.add(new Aborted("/api/v1/series/" + text(view.path("id")), view)));
            LiveRuns.runs(controller, target.service)
                    .forEach(view -> live.add(new Aborted("/api/v1/runs/" + text(view.path("id")), view)));
            return live;
        } catch (RequestRejectedException rejected) {
            throw rejected;
        } catch (IOException failure) {
            throw new IOException(failure.getMessage()
                    + ". So it is not known what is under way; without that list everything is ended by: redliner stop",
                    failure);
        }
    }

    /** Aborts one of several, and notes the outcome. Returns false when it goes on, or may go on. */
    private boolean isAborted(ControllerClient controller, Aborted live, Outcome outcome)
            throws InterruptedException {
        try {
            outcome.taken.add(new Aborted(live.path, send(controller, live.path)));
            return true;
        } catch (RequestRejectedException rejected) {
            if (rejected.isConflict()) {
                options.note("redliner: " + live.path + " was ending already");
                return true;
            }
            options.note("redliner abort: NOT ABORTED: " + live.path + ": " + rejected.getMessage());
        } catch (IOException failure) {
            options.note("redliner abort: it is not known whether " + live.path + " is aborted: "
                    + failure.getMessage());
        }
        outcome.refused.add(live);
        return false;
    }

    private static String describe(Aborted aborted) {
        String service = text(aborted.view.path("service"));
        String phase = text(aborted.view.path("phase"));
        return "Aborting " + aborted.path.substring(aborted.path.lastIndexOf('/') + 1)
                + (service.isEmpty() ? "" : " of " + service) + (phase.isEmpty() ? "" : ", it was " + phase);
    }
}

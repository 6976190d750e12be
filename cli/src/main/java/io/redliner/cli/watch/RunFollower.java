// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static io.redliner.cli.client.TerminalSafeText.text;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import io.redliner.cli.client.RunEventClient;
import io.redliner.cli.client.RunEventClient.StreamEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Follows one run or one series to its end. A watched run is followed by its event stream. Everything else is polled, and each
 * line about it is printed once. The runs of a watched series are watched one after the other.
 */
public final class RunFollower {

    /** The exit code that a shell reports for a command that was ended by Ctrl-C. */
    public static final int DETACHED = 130;

    private static final Duration TICK = Duration.ofMillis(100);

    private static final int TICKS_PER_POLL = 10;

    private static final int TICKS_PER_FRAME = 3;

    /** Time without an answer after which the command gives up. A controller that is restarted or replaced answers sooner. */
    private static final Duration MAX_DISCONNECTED = Duration.ofMinutes(2);

    private final ControllerClient controller;

    private final RunOutput output;

    private final InterruptPrompt prompt;

    private final InstantSource clock;

    private final BlockingQueue<StreamEvent> received = new LinkedBlockingQueue<>();

    private final FollowedRun run = new FollowedRun();

    private final Set<String> printed = new HashSet<>();

    private final Set<String> watchedMembers = new HashSet<>();

    private Duration clockAhead = Duration.ZERO;

    private @Nullable String problem;

    private @Nullable Instant lostAt;

    private @Nullable JsonNode endedView;

    public RunFollower(ControllerClient controller, RunOutput output, InterruptPrompt prompt, InstantSource clock) {
        this.controller = controller;
        this.output = output;
        this.prompt = prompt;
        this.clock = clock;
    }

    /**
     * Follows a run or a series to its end.
     *
     * @param path its path in the API
     * @param now its view in the API when the command began
     * @param watch true to show each window, false to print decisions only
     * @return the exit code of the run or the series, or {@link #DETACHED} when the user detached
     * @throws IOException when the controller has not answered for two minutes, or when it rejects the request
     */
    public int follow(String path, JsonNode now, boolean watch) throws IOException, InterruptedException {
        run.snapshot(now);
        try (RunEventClient events = watch && !now.has("members")
                ? RunEventClient.follow(controller, path, received::add, clock)
                : null) {
            for (int tick = 0;; tick++) {
                if (events == null && tick % TICKS_PER_POLL == 0 && poll(path, watch)) {
                    return DETACHED;
                }
                if (endedView == null) {
                    handle(received.poll(TICK.toMillis(), TimeUnit.MILLISECONDS));
                }
                if (endedView != null) {
                    output.showEnd(endedView);
                    return exitCode(endedView, path);
                }
                if (handleInterrupt(path)) {
                    return DETACHED;
                }
                requireConnection(path);
                if (events != null) {
                    events.breakSilence();
                    if (tick % TICKS_PER_FRAME == 0) {
                        output.draw(run, now(), problem, prompt.asking());
                    }
                }
            }
        }
    }

    private Instant now() {
        return clock.instant().plus(clockAhead);
    }

    /** Handles all events that have arrived. A long history is therefore read before anything is drawn. */
    private void handle(@Nullable StreamEvent first) throws IOException {
        for (StreamEvent next = first; next != null && endedView == null; next = received.poll()) {
            switch (next) {
                case StreamEvent.Decided decided -> {
                    run.happened(decided.decision());
                    output.showDecision(decided.decision(), run, happenedAt(decided.decision()));
                }
                case StreamEvent.Snapshot snapshot -> run.snapshot(snapshot.run());
                case StreamEvent.Ended ended -> endedView = ended.run();
                case StreamEvent.Connected connected -> {
                    clockAhead = connected.clockAhead();
                    connected();
                }
                case StreamEvent.Lost lost -> lost(lost.why(), "the run");
                case StreamEvent.Refused refused -> throw refused.why();
            }
        }
    }

    private Instant happenedAt(JsonNode decision) {
        String at = decision.path("at").asString("");
        return at.isEmpty() ? now() : Instant.parse(at);
    }

    private void connected() {
        if (lostAt != null) {
            output.print("Connected again, after " + NumberFormatter.clock(Duration.between(lostAt, clock.instant())));
        }
        lostAt = null;
        problem = null;
    }

    private void lost(String why, String action) {
        problem = why;
        if (lostAt == null) {
            lostAt = clock.instant();
            output.print("Lost the connection (" + why + "); " + action + " goes on, connecting again");
        }
    }

    private void requireConnection(String path) throws IOException {
        if (lostAt != null && clock.instant().isAfter(lostAt.plus(MAX_DISCONNECTED))) {
            throw new IOException(path + " was lost from sight, and may be going on (" + problem
                    + "). Back to it: redliner watch " + id(path));
        }
    }

    /** Reads the view and prints its new lines. Returns whether the user detached from a run of the series. */
    private boolean poll(String path, boolean watch) throws IOException, InterruptedException {
        JsonNode view = viewOf(path);
        if (view == null) {
            return false;
        }
        print(view);
        if (text(view.path("phase")).equals("Finished")) {
            endedView = view;
        } else if (watch) {
            for (JsonNode member : view.path("members")) {
                String id = text(member.path("runId"));
                String memberPath = "/api/v1/runs/" + id;
                JsonNode run = id.isEmpty() || member.hasNonNull("outcome") || watchedMembers.contains(id)
                        ? null
                        : viewOf(memberPath);
                if (run != null) {
                    watchedMembers.add(id);
                    return new RunFollower(controller, output, prompt, clock).follow(memberPath, run, true) == DETACHED;
                }
            }
        }
        return false;
    }

    /** Reads a view; null while the controller does not answer. */
    private @Nullable JsonNode viewOf(String path) throws IOException, InterruptedException {
        try {
            JsonNode view = controller.get(path);
            connected();
            return view;
        } catch (RequestRejectedException rejected) {
            throw rejected;
        } catch (IOException failure) {
            lost(String.valueOf(failure.getMessage()), "it");
            return null;
        }
    }

    private void print(JsonNode view) {
        if (view.has("choice")) {
            printChoice(view.path("choice"));
        }
        view.path("choices").forEach(this::printChoice);
        view.path("members").forEach(this::printMember);
        String phase = text(view.path("phase"));
        if (!phase.equals("Finished")) {
            printOnce("Phase " + phase);
        }
    }

    private void printChoice(JsonNode choice) {
        String side = text(choice.path("side"));
        printOnce("Chosen" + (side.isEmpty() ? "" : " as the " + side + " one") + ": "
                + text(choice.path("instance")) + ", " + text(choice.path("why")));
    }

    private void printMember(JsonNode member) {
        String which = "Run " + member.path("number").asInt(0) + " (" + text(member.path("label")) + ", "
                + text(member.path("instance")) + ")";
        if (member.has("outcome")) {
            printOnce(which + ": " + text(member.path("outcome")) + ", " + text(member.path("reason")));
        } else if (member.has("runId")) {
            printOnce(which + " is " + text(member.path("runId")));
        }
    }

    private void printOnce(String line) {
        if (printed.add(line)) {
            output.print(line);
        }
    }

    private static int exitCode(JsonNode endedView, String path) throws IOException {
        JsonNode code = endedView.path("exitCode");
        if (!code.isInt()) {
            throw new IOException("the controller does not say how " + path + " ended; it is of an older version");
        }
        return code.asInt();
    }

    /** Carries out the user's answer to Ctrl-C. Returns whether the user detached. */
    private boolean handleInterrupt(String path) throws InterruptedException {
        return switch (prompt.poll()) {
            case NONE -> false;
            case ABORT -> {
                abort(path);
                yield false;
            }
            case DETACH -> {
                output.print(prompt.whyDetached() + " It goes on. Back to it: redliner watch " + id(path)
                        + "   End it: redliner abort " + id(path) + " --reason TEXT");
                yield true;
            }
        };
    }

    private void abort(String path) throws InterruptedException {
        output.print("Aborting; waiting until traffic is restored");
        try {
            controller.abort(path + ":abort", controller.object()
                    .put("reason", "aborted with Ctrl-C at the terminal by " + System.getProperty("user.name", "?")),
                    output::print);
        } catch (RequestRejectedException rejected) {
            output.print("Not aborted: " + rejected.getMessage());
        } catch (IOException failure) {
            output.print("It is not known whether the abort arrived: " + failure.getMessage());
        }
    }

    private static String id(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

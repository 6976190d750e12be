// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RunEventClient;
import io.redliner.cli.client.RunStreamEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Watches one run as it happens, by its event stream, until it is over. */
public final class StreamingFollower {

    private static final Duration TICK = Duration.ofMillis(100);

    private static final int TICKS_PER_PICTURE = 3;

    /** A controller that is restarted or replaced answers again within this time. */
    private static final Duration OUT_OF_SIGHT = Duration.ofMinutes(2);

    private final ControllerClient controller;

    private final RunOutput output;

    private final InterruptHandler interrupts;

    private final InterruptPrompt prompt;

    private final InstantSource clock;

    private final BlockingQueue<RunStreamEvent> received = new LinkedBlockingQueue<>();

    private final FollowedRun run = new FollowedRun();

    private Duration clockAhead = Duration.ZERO;

    private @Nullable String trouble;

    private @Nullable Instant lostAt;

    private @Nullable JsonNode over;

    public StreamingFollower(ControllerClient controller, RunOutput output, InterruptPrompt prompt,
            InstantSource clock) {
        this.controller = controller;
        this.output = output;
        this.prompt = prompt;
        this.interrupts = new InterruptHandler(controller, prompt, output::say);
        this.clock = clock;
    }

    /**
     * Watches until the run is over.
     *
     * @param path of the run
     * @param first the present view of the run
     * @return its exit code, or 130 when the user detached
     * @throws IOException when the connection was lost for two minutes, or when the controller rejects the request
     */
    public int follow(String path, JsonNode first) throws IOException, InterruptedException {
        run.snapshot(first);
        try (RunEventClient events = RunEventClient.follow(controller, path, received::add, clock)) {
            for (int tick = 0;; tick++) {
                handle(received.poll(TICK.toMillis(), TimeUnit.MILLISECONDS));
                if (over != null) {
                    output.ended(over);
                    return PollingFollower.exitCode(over, path);
                }
                if (interrupts.detaches(path)) {
                    return InterruptHandler.DETACHED;
                }
                requireInSight(path);
                events.breakSilence();
                if (tick % TICKS_PER_PICTURE == 0) {
                    output.draw(run, now(), trouble, prompt.asking());
                }
            }
        }
    }

    private Instant now() {
        return clock.instant().plus(clockAhead);
    }

    /** Handles all events that have arrived, so that a long history is read before anything is drawn. */
    private void handle(@Nullable RunStreamEvent first) throws IOException {
        for (RunStreamEvent next = first; next != null && over == null; next = received.poll()) {
            switch (next) {
                case RunStreamEvent.Event event -> {
                    run.happened(event.event());
                    output.happened(event.event(), run, happenedAt(event.event()));
                }
                case RunStreamEvent.Snapshot snapshot -> run.snapshot(snapshot.run());
                case RunStreamEvent.Ended ended -> over = ended.run();
                case RunStreamEvent.Connected connected -> connected(connected);
                case RunStreamEvent.Lost lost -> lost(lost);
                case RunStreamEvent.Refused refused -> throw refused.why();
            }
        }
    }

    private Instant happenedAt(JsonNode event) {
        String at = event.path("at").asString("");
        return at.isEmpty() ? now() : Instant.parse(at);
    }

    private void connected(RunStreamEvent.Connected connected) {
        clockAhead = connected.clockAhead();
        if (lostAt != null) {
            output.say("Connected again, after " + NumberFormatter.clock(Duration.between(lostAt, clock.instant())));
        }
        trouble = null;
        lostAt = null;
    }

    private void lost(RunStreamEvent.Lost lost) {
        trouble = lost.why();
        if (lostAt == null) {
            lostAt = clock.instant();
            output.say("Lost the connection (" + lost.why() + "); the run goes on, connecting again");
        }
    }

    private void requireInSight(String path) throws IOException {
        if (lostAt != null && clock.instant().isAfter(lostAt.plus(OUT_OF_SIGHT))) {
            String id = path.substring(path.lastIndexOf('/') + 1);
            throw new IOException(path + " was lost from sight, and may be going on (" + trouble
                    + "). Back to it: redliner watch " + id);
        }
    }
}

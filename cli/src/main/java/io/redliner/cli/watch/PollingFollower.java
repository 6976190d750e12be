// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import io.redliner.cli.client.TerminalSafeText;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Polls a run or a series until it is over, and prints each thing that happens once. */
public final class PollingFollower {

    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration TICK = Duration.ofMillis(100);

    /** A controller that is restarted or replaced answers again within this time. */
    private static final Duration OUT_OF_SIGHT = Duration.ofMinutes(2);

    private final ControllerClient controller;

    private final RunOutput output;

    private final InterruptPrompt prompt;

    private final InterruptHandler interrupts;

    private final Set<String> said = new LinkedHashSet<>();

    private final Set<String> watched = new HashSet<>();

    private @Nullable InstantSource members;

    public PollingFollower(ControllerClient controller, RunOutput output, InterruptPrompt prompt) {
        this.controller = controller;
        this.output = output;
        this.prompt = prompt;
        this.interrupts = new InterruptHandler(controller, prompt, output::say);
    }

    /** Also watches the runs of a series, one after the other, each as it happens. */
    public PollingFollower watchingMembers(InstantSource clock) {
        members = clock;
        return this;
    }

    /**
     * Waits for the end of the run or series.
     *
     * @param path of it
     * @return the exit code that the controller has for it, or 130 when the user detached
     * @throws IOException when the controller has not answered for two minutes
     */
    public int follow(String path) throws IOException, InterruptedException {
        while (true) {
            JsonNode now = look(path);
            if (now == null) {
                return InterruptHandler.DETACHED;
            }
            tell(now);
            if (TerminalSafeText.text(now.path("phase")).equals("Finished")) {
                output.ended(now);
                return exitCode(now, path);
            }
            if (watchesMember(now) || waits(path)) {
                return InterruptHandler.DETACHED;
            }
        }
    }

    /** Returns the present view, waiting for the controller if needed; null when the user detached. */
    private @Nullable JsonNode look(String path) throws IOException, InterruptedException {
        for (Duration unseen = Duration.ZERO;; unseen = unseen.plus(LOOK)) {
            try {
                return controller.get(path);
            } catch (RequestRejectedException rejected) {
                throw rejected;
            } catch (IOException failure) {
                if (unseen.isZero()) {
                    output.say("Lost the connection (" + failure.getMessage() + "); it goes on, connecting again");
                }
                if (unseen.compareTo(OUT_OF_SIGHT) > 0) {
                    throw new IOException(path + " was lost from sight, and may be going on", failure);
                }
            }
            if (waits(path)) {
                return null;
            }
        }
    }

    /** Waits until the next poll. Returns true when the user detached meanwhile. */
    private boolean waits(String path) throws InterruptedException {
        for (Duration waited = Duration.ZERO; waited.compareTo(LOOK) < 0; waited = waited.plus(TICK)) {
            if (interrupts.detaches(path)) {
                return true;
            }
            if (new CountDownLatch(1).await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("nobody counts down");
            }
        }
        return false;
    }

    static int exitCode(JsonNode over, String path) throws IOException {
        JsonNode code = over.path("exitCode");
        if (!code.isInt()) {
            throw new IOException("the controller does not say how " + path + " ended; it is of an older version");
        }
        return code.asInt();
    }

    private boolean watchesMember(JsonNode series) throws IOException, InterruptedException {
        InstantSource clock = members;
        for (JsonNode member : series.path("members")) {
            String id = TerminalSafeText.text(member.path("runId"));
            if (clock != null && !id.isEmpty() && !member.hasNonNull("outcome") && watched.add(id)) {
                String path = "/api/v1/runs/" + id;
                return new StreamingFollower(controller, output, prompt, clock)
                        .follow(path, controller.get(path)) == InterruptHandler.DETACHED;
            }
        }
        return false;
    }

    private void tell(JsonNode now) {
        if (now.has("choice")) {
            choice(now.path("choice"));
        }
        now.path("choices").forEach(this::choice);
        for (JsonNode member : now.path("members")) {
            member(member);
        }
        String phase = TerminalSafeText.text(now.path("phase"));
        if (!phase.equals("Finished")) {
            say("Phase " + phase);
        }
    }

    private void choice(JsonNode choice) {
        String side = TerminalSafeText.text(choice.path("side"));
        say("Chosen" + (side.isEmpty() ? "" : " as the " + side + " one") + ": "
                + TerminalSafeText.text(choice.path("instance"))
                + ", " + TerminalSafeText.text(choice.path("why")));
    }

    private void member(JsonNode member) {
        String which = "Run " + member.path("number").asInt(0) + " (" + TerminalSafeText.text(member.path("label"))
                + ", "
                + TerminalSafeText.text(member.path("instance")) + ")";
        if (member.has("outcome")) {
            say(which + ": " + TerminalSafeText.text(member.path("outcome")) + ", "
                    + TerminalSafeText.text(member.path("reason")));
        } else if (member.has("runId")) {
            say(which + " is " + TerminalSafeText.text(member.path("runId")));
        }
    }

    private void say(String line) {
        if (said.add(line)) {
            output.say(line);
        }
    }
}

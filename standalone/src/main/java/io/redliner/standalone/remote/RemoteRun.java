// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.remote;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Looks at a run or a series until it is over, and says each thing that happens once. */
public final class RemoteRun {

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** A controller that is started again, or replaced, is back by then. */
    private static final Duration OUT_OF_SIGHT = Duration.ofMinutes(2);

    private final Controller controller;

    private final PrintWriter out;

    private final Duration every;

    private final Set<String> said = new LinkedHashSet<>();

    /** @param out gets one line for each thing that happens */
    public RemoteRun(Controller controller, PrintWriter out) {
        this(controller, out, LOOK);
    }

    RemoteRun(Controller controller, PrintWriter out, Duration every) {
        this.controller = controller;
        this.out = out;
        this.every = every;
    }

    /**
     * Waits for its end.
     *
     * @param path of it
     * @return the exit code that the controller has for it
     * @throws IOException when nobody could tell for two minutes how it is
     */
    public int follow(String path) throws IOException, InterruptedException {
        say("Started " + path + ". It goes on when this command is ended; stop it with POST " + path + ":abort");
        while (true) {
            JsonNode now = look(path);
            tell(now);
            if (now.path("phase").asString("").equals("Finished")) {
                return end(now, path);
            }
            pause();
        }
    }

    /** How it is now, or as soon as somebody can tell. */
    private JsonNode look(String path) throws IOException, InterruptedException {
        for (Duration unseen = Duration.ZERO;; unseen = unseen.plus(every)) {
            try {
                return controller.look(path);
            } catch (Controller.RefusedException refused) {
                throw refused;
            } catch (IOException failure) {
                if (unseen.compareTo(OUT_OF_SIGHT) > 0) {
                    throw new IOException(path + " was lost from sight, and may be going on", failure);
                }
            }
            pause();
        }
    }

    private static int end(JsonNode now, String path) throws IOException {
        JsonNode code = now.path("exitCode");
        if (!code.isInt()) {
            throw new IOException("the controller does not say how " + path + " ended; it is of an older version");
        }
        return code.asInt();
    }

    private void tell(JsonNode now) {
        if (now.has("choice")) {
            choice(now.path("choice"));
        }
        now.path("choices").forEach(this::choice);
        for (JsonNode member : now.path("members")) {
            member(member);
        }
        if (!now.path("phase").asString("").equals("Finished")) {
            say("Phase " + now.path("phase").asString());
            return;
        }
        if (now.has("members")) {
            say("Finished: " + now.path("outcome").asString() + ", " + now.path("reason").asString());
            say(now.at("/result/verdict").asString() + ": " + now.at("/result/words").asString());
        } else {
            say("Finished: " + now.path("outcome").asString() + ", " + now.at("/stopReason/detail").asString());
            capacity(now.path("result"));
        }
    }

    private void choice(JsonNode choice) {
        String side = choice.path("side").asString("");
        say("Chosen" + (side.isEmpty() ? "" : " as the " + side + " one") + ": " + choice.path("instance").asString()
                + ", " + choice.path("why").asString());
    }

    private void member(JsonNode member) {
        String which = "Run " + member.path("number").asInt() + " (" + member.path("label").asString() + ", "
                + member.path("instance").asString() + ")";
        if (member.has("outcome")) {
            say(which + ": " + member.path("outcome").asString() + ", " + member.path("reason").asString());
        } else if (member.has("runId")) {
            say(which + " is " + member.path("runId").asString());
        }
    }

    private void capacity(JsonNode result) {
        if (result.isObject()) {
            say(String.format(Locale.ROOT, "Capacity %s%.1f requests/s (95 %%: %.1f to %.1f)",
                    result.path("lowerBound").asBoolean() ? "at least " : "", result.path("capacity").asDouble(),
                    result.path("low").asDouble(), result.path("high").asDouble()));
        }
    }

    private void say(String line) {
        if (said.add(line)) {
            out.println(line);
            out.flush();
        }
    }

    private void pause() throws InterruptedException {
        if (new CountDownLatch(1).await(every.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.standalone.remote.Controller;
import io.redliner.standalone.watch.Follower;
import io.redliner.standalone.watch.Interruption;
import io.redliner.standalone.watch.JsonStage;
import io.redliner.standalone.watch.LiveStage;
import io.redliner.standalone.watch.PlainStage;
import io.redliner.standalone.watch.RemoteRun;
import io.redliner.standalone.watch.Stage;
import io.redliner.standalone.watch.Tty;
import java.io.IOException;
import java.time.Clock;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;

/** From the start of a run or a series to its end, at the user's terminal or wherever the output goes. */
final class Following {

    private static final int DETACHED = 130;

    private final RemoteOptions options;

    private final Controller controller;

    private final boolean watch;

    /** @param watch whether each window matters, or only what happens */
    Following(RemoteOptions options, Controller controller, boolean watch) {
        this.options = options;
        this.controller = controller;
        this.watch = watch;
    }

    /**
     * Follows to the end.
     *
     * @param path of the run or the series
     * @param now what is known of it
     * @param before a line to be said first
     * @return the exit code
     */
    int follow(String path, JsonNode now, String before) throws IOException, InterruptedException {
        InstantSource clock = Clock.systemUTC();
        try (Tty tty = new Tty(System.getenv("NO_COLOR") == null || System.getenv("NO_COLOR").isEmpty())) {
            Interruption interruption = new Interruption(tty);
            Tty.onInterrupt(interruption::pressed);
            Stage stage = stage(tty);
            stage.say(before);
            if (!watch) {
                return new RemoteRun(controller, stage, interruption).follow(path);
            }
            return now.has("members")
                    ? new RemoteRun(controller, stage, interruption).watchingMembers(clock).follow(path)
                    : new Follower(controller, stage, interruption, clock).follow(path, now);
        }
    }

    /** Waits for the end of something that is to end, and tells how that went: 0 whatever the run's own code is. */
    int until(String path, String before) throws IOException, InterruptedException {
        int code = follow(path, controller.object(), before);
        return code == DETACHED ? code : 0;
    }

    private Stage stage(Tty tty) {
        if (options.isJson()) {
            return new JsonStage(options.out(), options.err());
        }
        return watch && tty.canDraw() ? new LiveStage(tty) : new PlainStage(options.out());
    }
}

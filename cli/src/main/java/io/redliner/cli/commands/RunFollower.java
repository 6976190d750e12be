// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.InterruptPrompt;
import io.redliner.cli.watch.JsonOutput;
import io.redliner.cli.watch.LineOutput;
import io.redliner.cli.watch.PollingFollower;
import io.redliner.cli.watch.RunOutput;
import io.redliner.cli.watch.StreamingFollower;
import io.redliner.cli.watch.TerminalOutput;
import io.redliner.cli.watch.Tty;
import java.io.IOException;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Follows a run or a series to its end, at the user's terminal or wherever the output goes. */
final class RunFollower {

    private static final int DETACHED = 130;

    private final ClientOptions options;

    private final ControllerClient controller;

    private final boolean watch;

    /** @param watch whether each window matters, or only what happens */
    RunFollower(ClientOptions options, ControllerClient controller, boolean watch) {
        this.options = options;
        this.controller = controller;
        this.watch = watch;
    }

    /**
     * Follows to the end.
     *
     * @param path of the run or the series
     * @param now the present view of it
     * @param before lines to be printed first
     * @return the exit code
     */
    int follow(String path, JsonNode now, List<String> before) throws IOException, InterruptedException {
        InstantSource clock = Clock.systemUTC();
        try (Tty tty = Tty.withKeys()) {
            InterruptPrompt prompt = new InterruptPrompt(tty);
            Tty.onInterrupt(prompt::pressed);
            RunOutput output = output(tty);
            before.forEach(output::say);
            if (!watch) {
                return new PollingFollower(controller, output, prompt).follow(path);
            }
            return now.has("members")
                    ? new PollingFollower(controller, output, prompt).watchingMembers(clock).follow(path)
                    : new StreamingFollower(controller, output, prompt, clock).follow(path, now);
        }
    }

    /** Waits for the end of a run that is being ended, and prints how it went. Returns 0 whatever the run's own code is. */
    int until(String path, String before) throws IOException, InterruptedException {
        int code = follow(path, controller.object(), List.of(before));
        return code == DETACHED ? code : 0;
    }

    private RunOutput output(Tty tty) {
        if (options.isJson()) {
            return new JsonOutput(options.out(), options.err());
        }
        return watch && tty.canDraw()
                ? new TerminalOutput(tty, "Ctrl-C: abort or detach")
                : new LineOutput(options.out());
    }
}

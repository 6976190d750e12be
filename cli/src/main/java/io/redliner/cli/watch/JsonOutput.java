// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.io.PrintWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes for programs: each decision as a line of JSON, and the run itself as the last one. */
public final class JsonOutput implements RunOutput {

    private final PrintWriter out;

    private final PrintWriter err;

    /**
     * @param out gets JSON alone
     * @param err what is for people
     */
    public JsonOutput(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public void say(String line) {
        err.println(line);
        err.flush();
    }

    @Override
    public void happened(JsonNode decision, FollowedRun run, Instant now) {
        print(decision);
    }

    @Override
    public void draw(FollowedRun run, Instant now, @Nullable String trouble, boolean asking) {}

    @Override
    public void ended(JsonNode run) {
        print(run);
    }

    private void print(JsonNode document) {
        out.println(document);
        out.flush();
    }
}

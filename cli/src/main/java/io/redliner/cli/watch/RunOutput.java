// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Shows a run while it is followed. */
public interface RunOutput {

    /** Prints a line that stays. */
    void print(String line);

    /** Shows a decision that was just made about the run. */
    void showDecision(JsonNode decision, FollowedRun run, Instant now);

    /**
     * Draws the present state; called several times a second.
     *
     * @param now by the controller's clock
     * @param problem why the connection is lost, or null
     */
    default void draw(FollowedRun run, Instant now, @Nullable String problem, boolean asking) {}

    /** Shows the end of the run. */
    void showEnd(JsonNode run);
}

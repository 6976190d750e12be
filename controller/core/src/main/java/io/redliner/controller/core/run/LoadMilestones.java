// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The loads at which the SLA held, was broken and failed.
 *
 * @param lastGood the highest load that was held for its time without an alarm, requests/s
 * @param firstBreach the load at which the SLA was broken first
 * @param failure the load at which a condition of failure was met
 * @param failing windows in a row in which such a condition was met
 */
public record LoadMilestones(@Nullable Double lastGood, @Nullable Mark firstBreach, @Nullable Mark failure,
        int failing) {

    static final LoadMilestones NONE = new LoadMilestones(null, null, null, 0);

    /**
     * A load at which something happened.
     *
     * @param requestsPerSecond that arrived
     * @param why in words
     */
    public record Mark(double requestsPerSecond, Instant at, String why) {}

    LoadMilestones good(double requestsPerSecond) {
        return new LoadMilestones(lastGood == null ? requestsPerSecond : Math.max(lastGood, requestsPerSecond),
                firstBreach, failure, failing);
    }

    LoadMilestones breached(WindowSample window, String why) {
        return firstBreach != null
                ? this
                : new LoadMilestones(lastGood, new Mark(window.arrived(), window.end(), why), failure,
                        failing);
    }

    LoadMilestones failing(int inARow) {
        return new LoadMilestones(lastGood, firstBreach, failure, inARow);
    }

    LoadMilestones failed(WindowSample window, String why) {
        return new LoadMilestones(lastGood, firstBreach, new Mark(window.arrived(), window.end(), why), failing);
    }
}

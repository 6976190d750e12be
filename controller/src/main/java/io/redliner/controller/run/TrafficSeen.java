// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import io.redliner.controller.plan.Ppm;
import org.jspecify.annotations.Nullable;

/**
 * What an instance or a group of instances did in one window.
 *
 * @param latencyP50 seconds; absent when nothing completed
 * @param latencyP99 seconds; absent when nothing completed
 * @param share measured share of the service's requests
 */
public record TrafficSeen(double requestsPerSecond, long completed, long errors, long inFlight,
        @Nullable Double latencyP50, @Nullable Double latencyP99, Ppm share) {

    /** Nothing. */
    public static final TrafficSeen NONE = new TrafficSeen(0, 0, 0, 0, null, null, Ppm.NONE);
}

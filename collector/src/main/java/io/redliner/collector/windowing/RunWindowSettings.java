// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.util.List;

/**
 * The windows and latency limits that a run needs from the collectors of its service.
 *
 * @param windowLength the window that the run judges; above 0
 * @param latencyLimits overdue requests are counted against each of these; above 0, at most 64
 */
public record RunWindowSettings(Duration windowLength, List<Duration> latencyLimits) {

    private static final int MAX_LIMITS = Long.SIZE;

    public RunWindowSettings {
        latencyLimits = latencyLimits.stream().distinct().sorted().toList();
        if (!windowLength.isPositive() || latencyLimits.stream().anyMatch(limit -> !limit.isPositive())) {
            throw new IllegalArgumentException("window length and latency limits are above 0");
        }
        if (latencyLimits.size() > MAX_LIMITS) {
            throw new IllegalArgumentException(
                    "at most " + MAX_LIMITS + " latency limits; not " + latencyLimits.size());
        }
    }
}

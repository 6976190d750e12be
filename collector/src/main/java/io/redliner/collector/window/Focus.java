// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.util.List;

/**
 * What a run wants to know of its service.
 *
 * @param windowLength the window that the run judges; above 0
 * @param latencyLimits count hanging requests against each of these; above 0
 */
public record Focus(Duration windowLength, List<Duration> latencyLimits) {

    public Focus {
        latencyLimits = latencyLimits.stream().distinct().sorted().toList();
        if (!windowLength.isPositive() || latencyLimits.stream().anyMatch(limit -> !limit.isPositive())) {
            throw new IllegalArgumentException("window length and latency limits are above 0");
        }
    }
}

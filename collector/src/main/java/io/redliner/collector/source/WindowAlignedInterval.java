// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.WindowAggregator;
import java.time.Duration;
import java.util.Comparator;

/**
 * Whatever is looked at is looked at as often as the shortest windows of the services want it that runs are live on: nobody
 * asks for the gauges of others.
 */
record WindowAlignedInterval(LocalInstances instances, WindowAggregator windows) implements ScheduledProbe.Pace {

    /** Without a run: so that the first look of one has something to compare with. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    @Override
    public Duration interval() {
        return instances.services().stream().filter(windows::isTested).map(windows::windowLength)
                .min(Comparator.naturalOrder()).orElse(IDLE);
    }
}

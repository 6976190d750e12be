// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.WindowAggregator;
import java.time.Duration;
import java.util.Comparator;

/** Polls as often as the shortest windows among the services with a live run. No window of the other services carries gauges. */
record WindowAlignedInterval(LocalInstances instances, WindowAggregator windows) implements ScheduledProbe.Pace {

    /** The interval without a run: the first poll of a run then has an earlier one to compare with. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    @Override
    public Duration interval() {
        return instances.services().stream().filter(windows::isTested).map(windows::windowLength)
                .min(Comparator.naturalOrder()).orElse(IDLE);
    }
}

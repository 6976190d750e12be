// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.WindowAggregator;
import java.time.Duration;
import java.util.Comparator;

/** Whatever is looked at is looked at as often as the shortest windows of the targets' services want it. */
record WindowAlignedInterval(LocalInstances instances, WindowAggregator windows) implements ScheduledProbe.Pace {

    /** Without any target. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    @Override
    public Duration interval() {
        return instances.services().stream().map(windows::windowLength).min(Comparator.naturalOrder()).orElse(IDLE);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowMetrics;
import io.redliner.collector.windowing.WindowSettings;
import java.time.Instant;
import java.util.List;

/** Windows of a service that a run is live on: not only summaries. */
final class TestedWindows {

    /** The service. */
    static final String SERVICE = "shop";

    private TestedWindows() {}

    static WindowAggregator start() {
        WindowAggregator windows = new WindowAggregator(WindowSettings.DEFAULT,
                new WindowMetrics(new SimpleMeterRegistry()));
        begin(windows);
        return windows;
    }

    /** Begins a run, with windows of the ordinary length. */
    static void begin(WindowAggregator windows) {
        windows.run(SERVICE, new RunWindowSettings(WindowSettings.DEFAULT.length(), List.of()), Instant.EPOCH);
    }
}

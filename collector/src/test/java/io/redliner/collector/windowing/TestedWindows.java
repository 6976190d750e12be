// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;

/** Windows of services that runs are live on: not only summaries. */
public final class TestedWindows {

    private TestedWindows() {}

    /** Of the services {@code shop} and {@code cart}, without latency limits. */
    public static WindowAggregator of(WindowSettings settings) {
        WindowAggregator windows = new WindowAggregator(settings, new WindowMetrics(new SimpleMeterRegistry()));
        RunWindowSettings run = new RunWindowSettings(settings.length(), List.of());
        windows.run("shop", run, Instant.EPOCH);
        windows.run("cart", run, Instant.EPOCH);
        return windows;
    }
}

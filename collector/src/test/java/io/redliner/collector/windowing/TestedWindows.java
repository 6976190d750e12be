// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import java.time.Instant;
import java.util.List;
import java.util.Map;

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

    /** From now on the limits of the tests' Envoy count as RedLiner's. */
    public static void chooseLimits(WindowAggregator windows, String service) {
        windows.classifyBy(service, new RequestClassifier(ErrorStatuses.DEFAULT, List.of(),
                new OwnLimits(Map.of(ProxyLimit.ROUTE_TIMEOUT, 200L, ProxyLimit.CIRCUIT_BREAKER, 1L))));
    }
}

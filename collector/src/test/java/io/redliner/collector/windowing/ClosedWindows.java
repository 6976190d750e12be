// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.OwnLimits.OwnLimitEnds;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Closed windows of an instance, for tests of what becomes of them. */
public final class ClosedWindows {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String INSTANCE = "10.0.0.1:80";

    private ClosedWindows() {}

    /** A window without records. */
    public static WindowCounts empty(Set<DegradationReason> impairments) {
        return open("shop").close(1, Duration.ofMillis(100), false, impairments, List.of());
    }

    /** A window in which requests were started that no lease covers. */
    public static WindowCounts outside(String service, int requests) {
        WindowCounts window = open(service);
        window.start(start(), 1);
        if (requests > 0) {
            window.start(start().outside(true), requests);
        }
        return window.close(1, Duration.ofMillis(100), false, Set.of(), List.of());
    }

    /** A window with one failed request. */
    public static WindowCounts failed(RequestError error) {
        WindowCounts window = new WindowCounts(new InstanceId("shop", INSTANCE), NOON, null);
        window.end(end(20_000).failed(error), 1);
        return window.close(1, Duration.ofMillis(100), false, Set.of(), List.of());
    }

    /** A window in which each count has a value of its own. */
    public static WindowCounts full() {
        WindowCounts window = open("shop");
        window.start(start(), 2);
        window.start(start().outside(true), 1);
        window.end(end(20_000).firstByte(9_000).failed(RequestError.TIMEOUT), 1);
        window.end(end(90_000), 1);
        window.end(end(1).status(200).stream(true), 9);
        window.end(end(7_000).cancelled(), 1);
        window.end(end(8_000).cancelled().status(200), 1);
        return window.close(7, Duration.ofMillis(100), true, Set.of(DegradationReason.LAG),
                List.of(new OwnLimitEnds(ProxyLimit.ROUTE_TIMEOUT, 15_000, 12, 30)))
                .hanging(4, List.of(new OverdueCount(Duration.ofMillis(200), 5, 6)))
                .reported(2, 8, Optional.of(new LatencyHistory(NOON.minusSeconds(2), Duration.ofSeconds(1),
                        List.of(new LatencyHistory.Part(30, 9.5, 0.25), new LatencyHistory.Part(0, 0, 0)))))
                .measured(Map.of("cpu", 0.5));
    }

    private static WindowCounts open(String service) {
        return new WindowCounts(new InstanceId(service, INSTANCE), NOON, new HistogramPool());
    }

    private static RequestRecord start() {
        return Requests.started("a", INSTANCE, NOON);
    }

    private static RequestRecord end(long latencyMicros) {
        return new RequestRecord().end("a", INSTANCE, 0, latencyMicros);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Windows of a second to judge. */
final class Windows {

    private Windows() {}

    /** As many requests as given at each latency in milliseconds. */
    static Histogram latencies(long... countAndMillis) {
        var histogram = new Histogram(3);
        histogram.setAutoResize(true);
        for (int i = 0; i < countAndMillis.length; i += 2) {
            histogram.recordValueWithCount(countAndMillis[i + 1] * 1_000, countAndMillis[i]);
        }
        return histogram;
    }

    static WindowStats window(Histogram latency, long errors, OverdueRequests... overdue) {
        return new WindowStats(Duration.ofSeconds(1), latency.getTotalCount(), latency.getTotalCount(), errors, 0,
                latency,
                List.of(overdue), Map.of());
    }

    static WindowStats gauges(Map<String, Double> gauges) {
        return new WindowStats(Duration.ofSeconds(1), 100, 100, 0, 0, latencies(100, 10), List.of(), gauges);
    }

    static ScopedStats measurements(Object... scopeAndMeasured) {
        var byScope = new EnumMap<Scope, WindowStats>(Scope.class);
        for (int i = 0; i < scopeAndMeasured.length; i += 2) {
            byScope.put((Scope) scopeAndMeasured[i], (WindowStats) scopeAndMeasured[i + 1]);
        }
        return new ScopedStats(byScope);
    }
}

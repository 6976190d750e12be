// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What collectors might see. */
public final class Observations {

    private Observations() {}

    /** As many requests as given at a latency in milliseconds, in a second. */
    public static WindowStats requests(long count, long millis) {
        var latency = new Histogram(3);
        if (count > 0) {
            latency.recordValueWithCount(millis * 1_000, count);
        }
        return new WindowStats(Duration.ofSeconds(1), count, count, 0, 0, latency, List.of(), Map.of());
    }

    /** By a collector, of an instance, in the window that starts at a second. */
    public static InstanceObservation observation(String collector, long sequence, String instance, long second) {
        return new InstanceObservation(collector, sequence, instance, second * 1_000,
                new InstanceMeasurements(requests(100, 10), 1));
    }
}

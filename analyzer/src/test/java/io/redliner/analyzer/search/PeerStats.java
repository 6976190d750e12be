// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Windows of 200 ms of a peer. */
final class PeerStats {

    static final double LENGTH = 0.2;

    private PeerStats() {}

    /** Log-normal latencies around 10 ms. */
    static WindowStats of(Random random, int requests, double slower) {
        var latency = new Histogram(3);
        for (int i = 0; i < requests; i++) {
            latency.recordValue(Math.round(10_000 * slower * Math.exp(0.5 * random.nextGaussian())));
        }
        return of(requests, latency);
    }

    static WindowStats of(long started, Histogram latency) {
        return new WindowStats(Duration.ofMillis(200), started, latency.getTotalCount(), 0, 0,
                LatencyHistogram.of(latency), List.of(), Map.of());
    }
}

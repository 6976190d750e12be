// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchInput.Loads;
import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.Rule;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Windows of a second, made to order, of a SUT that is natural at 100 requests/s of the service's 500. */
final class Windows {

    static final double SERVICE = 500;

    static final SearchInput.Peers NO_PEERS = new SearchInput.Peers(Map.of(), Set.of());

    private static final List<Rule> SLA = SimulatedRun.sla("latency.p99 <= duration('100ms')", "cpu <= 0.8");

    private Windows() {}

    /** @param slow of the requests, those that take 200 ms instead of 10 */
    static SearchInput of(long requests, long slow, long inFlight, double cpu) {
        var latency = new Histogram(3);
        latency.recordValueWithCount(10_000, requests - slow);
        if (slow > 0) {
            latency.recordValueWithCount(200_000, slow);
        }
        var sut = new WindowStats(Duration.ofSeconds(1), requests, requests, 0, 0, LatencyHistogram.of(latency),
                List.of(),
                Map.of("cpu", cpu));
        var measurements = new ScopedStats(Map.of(Scope.SUT, sut));
        return new SearchInput(Duration.ofSeconds(1), SlaEvaluation.of(SLA, measurements, ""), inFlight,
                new Loads(100, SERVICE, 0.8 * SERVICE, 0), Double.POSITIVE_INFINITY, NO_PEERS);
    }
}

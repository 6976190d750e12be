// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Judgement;
import io.redliner.sla.Measured;
import io.redliner.sla.Measurements;
import io.redliner.sla.Overdue;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Windows of a second as a search sees them, of a SUT that is natural at 100 and capped at 400 requests/s. */
final class Load {

    static final List<Rule> SLA = List.of(
            new RuleCompiler().compile("latency", "latency.p99 <= duration('100ms')", false));

    private Load() {}

    /** With as many slow ones among the requests. */
    static JudgedWindow window(double requestsPerSecond, long slow) {
        return window(requestsPerSecond, slow, 2, 400);
    }

    static JudgedWindow window(double requestsPerSecond, long slow, long inFlight, double reachable) {
        var latency = new Histogram(3);
        latency.recordValueWithCount(10_000, Math.round(requestsPerSecond) - slow);
        if (slow > 0) {
            latency.recordValueWithCount(200_000, slow);
        }
        long requests = latency.getTotalCount();
        var sut = new Measured(Duration.ofSeconds(1), requests, requests, 0, 0, latency,
                List.of(new Overdue(Duration.ofMillis(100), 0, 0)), Map.of());
        var measurements = new Measurements(Map.of(Scope.SUT, sut));
        var outcomes = SLA.stream().map(rule -> rule.evaluate(measurements)).toList();
        return new JudgedWindow(Duration.ofSeconds(1), outcomes.getFirst().judgement(), "", outcomes, measurements,
                requestsPerSecond, inFlight, 100, reachable);
    }

    /** That says nothing. */
    static JudgedWindow unknown() {
        var measurements = new Measurements(Map.of());
        return new JudgedWindow(Duration.ofSeconds(1), Judgement.INCONCLUSIVE, "nobody reported the SUT",
                SLA.stream().map(rule -> rule.evaluate(measurements)).toList(), measurements, 0, 0, 100, 400);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.diagnosis.Figure;
import io.redliner.analyzer.evidence.Coverage;
import io.redliner.analyzer.evidence.Evidence;
import io.redliner.analyzer.evidence.Gauge;
import io.redliner.analyzer.evidence.Level;
import io.redliner.sla.Unit;

/** Whether those who watched were up to it: proxy, collector, analyzer, and their clocks. */
final class Observers {

    private Observers() {}

    static ValidityCheck telemetry(Evidence evidence) {
        Coverage seen = evidence.coverage();
        long all = seen.windows() + seen.skipped();
        if (all == 0) {
            return ValidityCheck.unknown("telemetry", "no window was seen");
        }
        long without = seen.incomplete() + seen.skipped();
        double windows = (double) without / all;
        double lost = (double) seen.lost() / Math.max(1, seen.lost() + seen.observations());
        // One odd window, or one lost observation, is no pattern.
        double few = 1.5 / all;
        return ValidityCheck.atMost("telemetry", Math.max(windows, lost), Math.max(0.03, few),
                Math.max(0.2, 4.5 / all), Unit.RATIO,
                without + " of " + all + " windows were incomplete or never judged, and " + seen.lost() + " of "
                        + (seen.lost() + seen.observations()) + " observations were lost");
    }

    static ValidityCheck proxy(Evidence evidence) {
        return gauge("proxy", evidence, Gauge.PROXY_CPU, 0.8, 0.95, "the proxy used of its CPU");
    }

    static ValidityCheck collector(Evidence evidence) {
        Coverage seen = evidence.coverage();
        long all = seen.observations() + seen.late();
        var late = all == 0
                ? ValidityCheck.unknown("collector", "how late observations came is not known")
                : ValidityCheck.atMost("collector", (double) seen.late() / all, Math.max(0.05, 1.5 / all),
                        Math.max(0.25, 4.5 / all), Unit.RATIO,
                        seen.late() + " of " + all + " observations came after their window was judged");
        return late.worse(gauge("collector", evidence, Gauge.COLLECTOR_LAG, 1, 5, "the collector lagged behind by"))
                .worse(gauge("collector", evidence, Gauge.COLLECTOR_CPU, 0.9, 0.99, "the collector used of its CPU"));
    }

    static ValidityCheck analyzer(Evidence evidence) {
        Coverage seen = evidence.coverage();
        if (seen.windows() == 0) {
            return ValidityCheck.unknown("analyzer", "no window was seen");
        }
        long all = seen.windows() + seen.skipped();
        return ValidityCheck.atMost("analyzer", (double) seen.skipped() / all, Math.max(0.02, 1.5 / all),
                Math.max(0.2, 4.5 / all), Unit.RATIO,
                seen.skipped() + " of " + all + " windows were never judged: the analyzer stood still, or was lost")
                .worse(gauge("analyzer", evidence, Gauge.ANALYZER_LAG, 1, 5, "the analyzer lagged behind by"));
    }

    static ValidityCheck clocks(Evidence evidence) {
        Coverage seen = evidence.coverage();
        long all = seen.observations() + seen.early();
        var early = all == 0
                ? ValidityCheck.unknown("clocks", "whether observations came early is not known")
                : ValidityCheck.atMost("clocks", (double) seen.early() / all, 0, 0.05, Unit.RATIO,
                        seen.early() + " of " + all + " observations were of windows more than 5 s in the future");
        return early.worse(gauge("clocks", evidence, Gauge.CLOCK_OFFSET, 0.25, 1, "the proxy's clock is off by"));
    }

    static ValidityCheck gauge(String name, Evidence evidence, Gauge gauge, double doubtful, double invalid,
            String words) {
        var levels = evidence.blocks().stream().flatMap(block -> block.level(gauge).stream()).toList();
        double windows = levels.stream().mapToDouble(Level::windows).sum();
        double most = levels.stream().mapToDouble(Level::mean).max().orElse(Double.NaN);
        return windows == 0
                ? ValidityCheck.unknown(name, gauge.gaugeName() + " was not measured")
                : ValidityCheck.atMost(name, most, doubtful, invalid, gauge.unit(),
                        words + " " + Figure.words(most, gauge.unit()) + " at most, on average of some seconds");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.diagnosis.Figure;
import io.redliner.analyzer.evidence.Block;
import io.redliner.analyzer.evidence.Coverage;
import io.redliner.analyzer.evidence.Evidence;
import io.redliner.analyzer.evidence.Gauge;
import io.redliner.analyzer.evidence.Level;
import io.redliner.analyzer.search.Advice;
import io.redliner.sla.Unit;
import java.util.List;

/** Whether those who watched were up to it: proxy, collector, analyzer, and their clocks; and the SUT's host. */
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
                .worse(gauge("collector", evidence, Gauge.COLLECTOR_CPU, 0.9, 0.99, "the collector used of its CPU"))
                .worse(gauge("collector", evidence, Gauge.COLLECTOR_STEAL, 0.1, 0.5,
                        "the hypervisor took of the collector's CPU"))
                .worse(gauge("collector", evidence, Gauge.COLLECTOR_THROTTLED, 0.1, 0.5,
                        "the collector's CPU quota was used up, of the periods in"));
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

    /** Ends are matched to starts by the id. More than one in a hundred would hide a request that hangs at a p99. */
    static ValidityCheck requestIds(Evidence evidence) {
        return gauge("request-ids", evidence, Gauge.REQUEST_IDS_SHARED, 0.01, Double.POSITIVE_INFINITY,
                "requests that shared their id with others in flight, which x-redliner-id on the route prevents, were");
    }

    /** Such records may be forged, or show traffic that RedLiner neither moves nor measures. */
    static ValidityCheck unknownProxies(Evidence evidence) {
        return gauge("unknown-proxies", evidence, Gauge.PROXIES_UNKNOWN, 0, 0,
                "proxies that no redirector knows (the collectors' health lists them) sent this many records in a window:");
    }

    /**
     * What the hypervisor takes is no limit of the server, which has at least the capacity found. A quota that is used up
     * can be its limit, but not at the natural load.
     */
    static ValidityCheck host(Evidence evidence) {
        var natural = evidence.blocks().stream().filter(block -> block.phase() == Advice.Phase.BASELINE).toList();
        return gauge("host", evidence, Gauge.CPU_STEAL, 0.02, Double.POSITIVE_INFINITY,
                "the hypervisor took of the SUT's CPU")
                .worse(gauge("host", natural, Gauge.CPU_THROTTLED, 0.1, Double.POSITIVE_INFINITY,
                        "the SUT's CPU quota was used up at its natural load, of the periods in"));
    }

    static ValidityCheck gauge(String name, Evidence evidence, Gauge gauge, double doubtful, double invalid,
            String words) {
        return gauge(name, evidence.blocks(), gauge, doubtful, invalid, words);
    }

    private static ValidityCheck gauge(String name, List<Block> blocks, Gauge gauge, double doubtful, double invalid,
            String words) {
        var levels = blocks.stream().flatMap(block -> block.level(gauge).stream()).toList();
        double windows = levels.stream().mapToDouble(Level::windows).sum();
        double most = levels.stream().mapToDouble(Level::mean).max().orElse(Double.NaN);
        return windows == 0
                ? ValidityCheck.unknown(name, gauge.gaugeName() + " was not measured")
                : ValidityCheck.atMost(name, most, doubtful, invalid, gauge.unit(),
                        words + " " + Figure.words(most, gauge.unit()) + " at most, on average of some seconds");
    }
}

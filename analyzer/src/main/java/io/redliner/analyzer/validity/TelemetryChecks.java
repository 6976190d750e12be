// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.bottleneck.NamedValue;
import io.redliner.analyzer.runstats.GaugeStats;
import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.analyzer.runstats.LoadSegment;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.TelemetryCoverage;
import io.redliner.sla.MetricUnit;
import java.util.List;

/** Checks the measurement itself: collectors, analyzer and clocks. */
final class TelemetryChecks {

    private TelemetryChecks() {}

    static ValidityCheckResult telemetry(RunStatistics statistics) {
        TelemetryCoverage coverage = statistics.coverage();
        long all = coverage.windows() + coverage.skipped();
        if (all == 0) {
            return ValidityCheckResult.unknown("telemetry", "no window was seen");
        }
        long without = coverage.incomplete() + coverage.skipped();
        double windows = (double) without / all;
        double lost = (double) coverage.lost() / Math.max(1, coverage.lost() + coverage.observations());
        // One odd window, or one lost observation, is no pattern.
        double few = 1.5 / all;
        return ValidityCheckResult.atMost("telemetry", Math.max(windows, lost), Math.max(0.03, few),
                Math.max(0.2, 4.5 / all), MetricUnit.RATIO,
                without + " of " + all + " windows were incomplete or never judged, and " + coverage.lost() + " of "
                        + (coverage.lost() + coverage.observations()) + " observations were lost");
    }

    static ValidityCheckResult collector(RunStatistics statistics) {
        TelemetryCoverage coverage = statistics.coverage();
        long all = coverage.observations() + coverage.late();
        var late = all == 0
                ? ValidityCheckResult.unknown("collector", "how late observations came is not known")
                : ValidityCheckResult.atMost("collector", (double) coverage.late() / all, Math.max(0.05, 1.5 / all),
                        Math.max(0.25, 4.5 / all), MetricUnit.RATIO,
                        coverage.late() + " of " + all + " observations came after their window was judged");
        return late
                .worse(gauge("collector", statistics, KnownGauge.COLLECTOR_LAG, 1, 5, "the collector lagged behind by"))
                .worse(gauge("collector", statistics, KnownGauge.COLLECTOR_CPU, 0.9, 0.99,
                        "the collector used of its CPU"))
                .worse(gauge("collector", statistics, KnownGauge.COLLECTOR_STEAL, 0.1, 0.5,
                        "the hypervisor took of the collector's CPU"))
                .worse(gauge("collector", statistics, KnownGauge.COLLECTOR_THROTTLED, 0.1, 0.5,
                        "the collector's CPU quota was used up, of the periods in"));
    }

    static ValidityCheckResult analyzer(RunStatistics statistics) {
        TelemetryCoverage coverage = statistics.coverage();
        if (coverage.windows() == 0) {
            return ValidityCheckResult.unknown("analyzer", "no window was seen");
        }
        long all = coverage.windows() + coverage.skipped();
        return ValidityCheckResult.atMost("analyzer", (double) coverage.skipped() / all, Math.max(0.02, 1.5 / all),
                Math.max(0.2, 4.5 / all), MetricUnit.RATIO,
                coverage.skipped() + " of " + all
                        + " windows were never judged: the analyzer stood still, or was lost");
    }

    static ValidityCheckResult clocks(RunStatistics statistics) {
        TelemetryCoverage coverage = statistics.coverage();
        long all = coverage.observations() + coverage.early();
        var early = all == 0
                ? ValidityCheckResult.unknown("clocks", "whether observations came early is not known")
                : ValidityCheckResult.atMost("clocks", (double) coverage.early() / all, 0, 0.05, MetricUnit.RATIO,
                        coverage.early() + " of " + all + " observations were of windows more than 5 s in the future");
        return early
                .worse(gauge("clocks", statistics, KnownGauge.CLOCK_OFFSET, 0.25, 1, "the proxy's clock is off by"));
    }

    /**
     * Checks that request ids are unique, as starts and ends are matched by id. More than 1 % shared could hide hanging requests.
     */
    static ValidityCheckResult requestIds(RunStatistics statistics) {
        return gauge("request-ids", statistics, KnownGauge.REQUEST_IDS_SHARED, 0.01, Double.POSITIVE_INFINITY,
                "requests that shared their id with others in flight, which x-redliner-id on the route prevents, were");
    }

    /** Checks for records of proxies that no redirector lists: they may be forged, or show traffic that RedLiner does not move. */
    static ValidityCheckResult unknownProxies(RunStatistics statistics) {
        return gauge("unknown-proxies", statistics, KnownGauge.PROXIES_UNKNOWN, 0, 0,
                "proxies that no redirector knows (the collectors' health lists them) sent this many records in a window:");
    }

    /**
     * Checks that no worker of a proxy beside a collector was full; others are not seen. The requests of its connections wait in it
     * then, and it may be what limits the throughput. The server has at least the capacity found.
     */
    static ValidityCheckResult proxies(RunStatistics statistics) {
        return gauge("proxies", statistics, KnownGauge.PROXY_CPU, 0.85, Double.POSITIVE_INFINITY,
                "the busiest worker of the proxies beside the collectors used of its core");
    }

    static ValidityCheckResult gauge(String name, RunStatistics statistics, KnownGauge gauge, double doubtful,
            double invalid,
            String message) {
        return gauge(name, statistics.blocks(), gauge, doubtful, invalid, message);
    }

    static ValidityCheckResult gauge(String name, List<LoadSegment> blocks, KnownGauge gauge, double doubtful,
            double invalid,
            String message) {
        var levels = blocks.stream().flatMap(block -> block.level(gauge).stream()).toList();
        double windows = levels.stream().mapToDouble(GaugeStats::windows).sum();
        double highest = levels.stream().mapToDouble(GaugeStats::mean).max().orElse(Double.NaN);
        return windows == 0
                ? ValidityCheckResult.unknown(name, gauge.gaugeName() + " was not measured")
                : ValidityCheckResult.atMost(name, highest, doubtful, invalid, gauge.unit(),
                        message + " " + NamedValue.format(highest, gauge.unit())
                                + " at most, on average of some seconds");
    }
}

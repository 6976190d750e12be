// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.bottleneck.NamedValue;
import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.analyzer.runstats.LoadSegment;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.TrafficStats;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchState;
import io.redliner.sla.MetricUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Checks whether a run's result can be trusted. All checks are always reported, those that could not be made as unknown. Only
 * {@link CheckStatus#INVALID} removes the answer; {@link CheckStatus#UNKNOWN} does not.
 */
public final class ValidityChecks {

    /** Shortest time from which the search makes a judgement. */
    private static final double JUDGEMENT_SECONDS = 6;

    private static final double MAX_WANDER = 0.08;

    private ValidityChecks() {}

    /**
     * Makes all checks, in a fixed order.
     *
     * @param search state at the end of the search
     * @param sut as host:port
     */
    public static List<ValidityCheckResult> of(RunStatistics statistics, SearchState search, String sut) {
        return List.of(LittlesLawChecks.littlesLaw(statistics), LittlesLawChecks.throughput(statistics),
                FleetChecks.share(statistics),
                PeerChecks.latency(statistics), PeerChecks.errors(statistics), PeerChecks.breaches(statistics),
                PeerChecks.noise(search, statistics, sut),
                wander(search.speedWander(), PeerChecks.withoutControl(statistics, sut)),
                stalls(search.stalls()),
                TelemetryChecks.telemetry(statistics),
                TelemetryChecks.collector(statistics),
                TelemetryChecks.analyzer(statistics),
                TelemetryChecks.clocks(statistics), samples(statistics), FleetChecks.unchanged(statistics, sut),
                pauses(statistics), HostCheck.host(statistics), TelemetryChecks.requestIds(statistics),
                TelemetryChecks.unknownProxies(statistics), TelemetryChecks.proxies(statistics));
    }

    /** Returns why the result must not be used; empty when it may be. */
    public static Optional<String> objection(List<ValidityCheckResult> checks) {
        var objections = checks.stream().filter(check -> check.verdict() == CheckStatus.INVALID)
                .map(check -> check.name() + ": " + check.message()).toList();
        return objections.isEmpty() ? Optional.empty() : Optional.of(String.join("; and ", objections));
    }

    /** Checks how much the SUT's speed varies by itself. A variation of 10 % moves the capacity by as much. */
    private static ValidityCheckResult wander(OptionalDouble observed, String without) {
        if (observed.isEmpty()) {
            return ValidityCheckResult.unknown("wander", without);
        }
        return ValidityCheckResult.atMost("wander", observed.getAsDouble(), MAX_WANDER, Double.POSITIVE_INFINITY,
                MetricUnit.RATIO, "at its natural load the SUT's latency wandered by "
                        + NamedValue.format(observed.getAsDouble(), MetricUnit.RATIO)
                        + " from second to second, beyond chance and what its peers did"
                        + (observed.getAsDouble() > MAX_WANDER
                                ? ": it is slow at times by itself, and its capacity is known less well"
                                : ""));
    }

    /**
     * Checks how often the SUT stood still. In the lab, answers after two stalls or more were off by more than 10 % three to five
     * times as often as others.
     */
    private static ValidityCheckResult stalls(int stalls) {
        return ValidityCheckResult.atMost("stalls", stalls, 1, Double.POSITIVE_INFINITY, MetricUnit.COUNT,
                "the SUT stood still " + stalls + " times although requests came"
                        + (stalls > 1 ? ": its capacity is known less well" : ""));
    }

    /** Checks that there were enough requests. A p99 needs at least 100 in a judgement, or one slow request decides it. */
    private static ValidityCheckResult samples(RunStatistics statistics) {
        var loaded = statistics.blocks().stream().filter(block -> block.phase() != SearchAdvice.Phase.BASELINE)
                .map(LoadSegment::sut).reduce(TrafficStats.NONE, TrafficStats::plus);
        var observed = loaded.seconds() > 0 ? loaded : statistics.sut();
        if (observed.seconds() <= 0) {
            return ValidityCheckResult.unknown("samples", "no request was seen");
        }
        if (statistics.limits().allowedRatio() <= 0) {
            return new ValidityCheckResult("samples", CheckStatus.OK, OptionalDouble.empty(), OptionalDouble.empty(),
                    MetricUnit.COUNT,
                    "no rule allows a part of the requests to break it");
        }
        double needed = 1 / statistics.limits().allowedRatio();
        double got = observed.requestsPerSecond() * JUDGEMENT_SECONDS;
        var verdict = observed.started() < needed
                ? CheckStatus.INVALID
                : got < needed ? CheckStatus.DOUBTFUL : CheckStatus.OK;
        return new ValidityCheckResult("samples", verdict, OptionalDouble.of(got), OptionalDouble.of(needed),
                MetricUnit.COUNT,
                reasonForFew(statistics, verdict) + "the SUT got " + observed.started() + " requests in the "
                        + NamedValue.format(observed.seconds(), MetricUnit.SECONDS) + " that count, at a rate of "
                        + NamedValue.format(got, MetricUnit.COUNT) + " in " + Math.round(JUDGEMENT_SECONDS)
                        + " s; a rule that "
                        + NamedValue.format(statistics.limits().allowedRatio(), MetricUnit.RATIO) + " may break needs "
                        + NamedValue.format(needed, MetricUnit.COUNT));
    }

    /** Explains too few requests by incomplete telemetry, when requests may have come and not been reported. */
    private static String reasonForFew(RunStatistics statistics, CheckStatus samplesStatus) {
        var telemetry = TelemetryChecks.telemetry(statistics);
        boolean doubtful = telemetry.verdict() == CheckStatus.DOUBTFUL || telemetry.verdict() == CheckStatus.INVALID;
        return samplesStatus == CheckStatus.INVALID && doubtful ? telemetry.message() + ": " : "";
    }

    private static ValidityCheckResult pauses(RunStatistics statistics) {
        var gauges = List.of(KnownGauge.GC_PAUSE, KnownGauge.PROCESS_PAUSE);
        boolean measured = statistics.blocks().stream()
                .anyMatch(block -> gauges.stream().anyMatch(gauge -> block.level(gauge).isPresent()));
        if (!measured) {
            return ValidityCheckResult.unknown("pauses", "neither gc.pause nor process.pause was measured");
        }
        int broken = statistics.blocks().stream().mapToInt(block -> block.breachedWindows().all()).sum();
        int paused = statistics.blocks().stream().mapToInt(block -> block.breachedWindows().stoodStill()).sum();
        double part = broken == 0 ? 0 : (double) paused / broken;
        return ValidityCheckResult.atMost("pauses", part, 0.5, Double.POSITIVE_INFINITY, MetricUnit.RATIO,
                paused + " of " + broken + " broken windows had a pause of the JVM or the process of half the latency"
                        + " limit or more (" + longest(statistics, gauges) + ")");
    }

    private static String longest(RunStatistics statistics, List<KnownGauge> gauges) {
        return String.join(", ", gauges.stream().flatMap(gauge -> statistics.blocks().stream()
                .flatMap(block -> block.level(gauge).stream()).map(level -> level.most()).max(Double::compare)
                .map(most -> gauge.gaugeName() + " up to " + NamedValue.format(most, MetricUnit.SECONDS)).stream())
                .toList());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.bottleneck.NamedValue;
import io.redliner.analyzer.runstats.GaugeStats;
import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.analyzer.runstats.LoadSegment;
import io.redliner.analyzer.runstats.NoiseExposure;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.TrafficStats;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.sla.MetricUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks the SUT's machine by what its noise changed. CPU time that the hypervisor takes all the time lowers the capacity by as much
 * at most. Noise of some seconds makes requests late in these seconds: they are compared with quiet ones at like load. A used-up CPU
 * quota can be the server's limit, but not at the natural load.
 */
final class HostCheck {

    private static final String NAME = "host";

    /** Part of the CPU time that the hypervisor takes on average. The capacity is lower by as much at most. */
    private static final double MAX_STEAL = 0.05;

    /**
     * Part of the requests beyond the limit that disturbed seconds explain. On three of four of the lab's servers the late requests
     * grow with the load to the power of 12 or more near the knee. A third of them then moves the capacity by 3 % at most.
     */
    private static final double MAX_EXPLAINED = 1.0 / 3;

    /** Part of the windows that must be known to be quiet or disturbed. */
    private static final double MIN_KNOWN = 0.5;

    private static final double MAX_THROTTLED = 0.1;

    /**
     * Part of their time for which requests wait for a CPU at the natural load. A request that takes three times as long as it is served
     * then waits for a tenth of its service, and the capacity is lower by as much.
     */
    private static final double MAX_WAITING = 0.03;

    /** Part of the machine's CPU time that others use, from which on the requests wait because of them. */
    private static final double CROWDED = 0.5;

    private HostCheck() {}

    static ValidityCheckResult host(RunStatistics statistics) {
        var natural = statistics.blocks().stream().filter(block -> block.phase() == SearchAdvice.Phase.BASELINE)
                .toList();
        var loaded = statistics.blocks().stream().filter(block -> block.phase() != SearchAdvice.Phase.BASELINE)
                .toList();
        var blocks = loaded.isEmpty() ? statistics.blocks() : loaded;
        var throttled = TelemetryChecks.gauge(NAME, natural, KnownGauge.CPU_THROTTLED, MAX_THROTTLED,
                Double.POSITIVE_INFINITY, "the SUT's CPU quota was used up at its natural load, of the periods in");
        var noise = steal(blocks).orElseGet(() -> noise(blocks));
        var crowded = crowded(natural).map(noise::worse).orElse(noise);
        return throttled.verdict() == CheckStatus.DOUBTFUL ? crowded.worse(throttled) : crowded;
    }

    /**
     * Checks a machine that is full before the load is raised, so that no second of it is quiet. By Little's law the threads that wait
     * are to the requests in flight as the wait is to the latency. Empty when others use little or it was not measured.
     */
    private static Optional<ValidityCheckResult> crowded(List<LoadSegment> natural) {
        var requests = natural.stream().map(LoadSegment::sut).reduce(TrafficStats.NONE, TrafficStats::plus);
        double inFlight = requests.requestsPerSecond() * requests.meanLatency();
        double waiting = mean(natural, KnownGauge.CPU_WAITING) / inFlight;
        double others = mean(natural, KnownGauge.CPU_OTHERS);
        return others >= CROWDED && Double.isFinite(waiting)
                ? Optional.of(ValidityCheckResult.atMost(NAME, waiting, MAX_WAITING, Double.POSITIVE_INFINITY,
                        MetricUnit.RATIO, "at the natural load requests waited for a CPU for " + ratio(waiting)
                                + " of their time, while others used " + ratio(others)
                                + " of the machine: without them the server may take more"))
                : Optional.empty();
    }

    private static double mean(List<LoadSegment> blocks, KnownGauge gauge) {
        return blocks.stream().flatMap(block -> block.level(gauge).stream()).reduce(GaugeStats::then)
                .map(GaugeStats::mean).orElse(Double.NaN);
    }

    /** Checks the time that the hypervisor takes on average; empty when it is little or was not measured. */
    private static Optional<ValidityCheckResult> steal(List<LoadSegment> blocks) {
        return blocks.stream().flatMap(block -> block.level(KnownGauge.CPU_STEAL).stream())
                .reduce(GaugeStats::then).map(GaugeStats::mean).filter(taken -> taken > MAX_STEAL)
                .map(taken -> ValidityCheckResult.atMost(NAME, taken, MAX_STEAL, Double.POSITIVE_INFINITY,
                        MetricUnit.RATIO, "the hypervisor took " + ratio(taken)
                                + " of the SUT's CPU on average while it was loaded: the server has at least the"
                                + " capacity found"));
    }

    private static ValidityCheckResult noise(List<LoadSegment> blocks) {
        var exposure = blocks.stream().map(LoadSegment::noise).reduce(NoiseExposure.NONE, NoiseExposure::plus);
        var reported = signs(blocks, 1);
        var measured = signs(blocks, MIN_KNOWN * exposure.windows());
        int known = exposure.windows() - exposure.unknown();
        if (reported.isEmpty()) {
            return ValidityCheckResult.unknown(NAME, "no sign of noise of the SUT's machine was measured");
        }
        if (measured.isEmpty() || known < MIN_KNOWN * exposure.windows()) {
            return ValidityCheckResult.unknown(NAME, "of " + names(reported) + " not all were reported in "
                    + exposure.unknown() + " of " + exposure.windows() + " windows under load");
        }
        if (known == 0) {
            return ValidityCheckResult.unknown(NAME,
                    "no rule allows a part of the requests to break it, which noise of the machine would raise");
        }
        var effect = Effect.of(blocks);
        String signs = describe(exposure, measured);
        double part = effect.explained() / Math.max(1, exposure.exceeding() - effect.alone);
        var noise = ValidityCheckResult.atMost(NAME, part, MAX_EXPLAINED, Double.POSITIVE_INFINITY, MetricUnit.RATIO,
                signs + (exposure.disturbed().windows() == 0 ? "" : effect(part)));
        if (noise.verdict() != CheckStatus.OK) {
            return noise;
        }
        if (2 * effect.alone > exposure.disturbed().exceeding()) {
            return ValidityCheckResult.unknown(NAME,
                    signs + ", and mostly never quiet at like load: its effect is not known");
        }
        return measured.contains(NoiseExposure.Sign.STEAL)
                ? noise
                : ValidityCheckResult.unknown(NAME, "the SUT's machine was not measured; " + signs);
    }

    /** Returns the signs that were reported in so many windows. */
    private static List<NoiseExposure.Sign> signs(List<LoadSegment> blocks, double windows) {
        return Arrays.stream(NoiseExposure.Sign.values())
                .filter(sign -> blocks.stream().flatMap(block -> block.level(sign.gauge()).stream())
                        .mapToInt(GaugeStats::windows).sum() >= Math.max(1, windows))
                .toList();
    }

    private static String effect(double part) {
        return part > 0
                ? ", which explains " + ratio(part) + " of the requests beyond the limit"
                        + (part > MAX_EXPLAINED ? ": without it the server may take more" : "")
                : ", in which no more requests were late than chance explains";
    }

    private static String describe(NoiseExposure exposure, List<NoiseExposure.Sign> measured) {
        int known = exposure.windows() - exposure.unknown();
        if (exposure.disturbed().windows() == 0) {
            return names(measured) + " showed no noise while the SUT was loaded";
        }
        String shown = exposure.signs().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(sign -> sign.getKey().gauge().gaugeName() + " in " + ratio((double) sign.getValue() / known))
                .collect(Collectors.joining(", "));
        return "the machine was disturbed for " + ratio((double) exposure.disturbed().windows() / known)
                + " of the time under load (" + shown + ")";
    }

    private static String names(List<NoiseExposure.Sign> signs) {
        return signs.stream().map(sign -> sign.gauge().gaugeName()).collect(Collectors.joining(", "));
    }

    private static String ratio(double value) {
        return NamedValue.format(value, MetricUnit.RATIO);
    }

    /**
     * The effect of the disturbed windows, summed over groups of blocks at like load.
     *
     * @param compared number of disturbed windows that have quiet windows at like load
     * @param alone requests beyond the limit in disturbed windows that have none
     * @param excess requests beyond the limit in the compared windows, without as many as the quiet ones had for each request
     * @param difference of the requests beyond the limit in the compared windows from those in as many windows of any kind
     * @param variance of that difference if chance alone had disturbed the windows
     */
    private record Effect(int compared, long alone, double excess, double difference, double variance) {

        /** Loads that differ by less are alike: near the knee late requests grow with the load to the power of 12. */
        private static final double LIKE_LOAD = 1.05;

        private static final int MIN_WINDOWS = 3;

        /**
         * Standard errors that are chance. In the lab, machines that showed noise without an effect for 5 to 40 % of the time then
         * doubted 6 of 210 right answers, and a neighbour for 20 % of the time 63 of 65 wrong ones.
         */
        private static final double ERRORS = 2.5;

        static Effect of(List<LoadSegment> blocks) {
            var effect = new Effect(0, 0, 0, 0, 0);
            var rest = new ArrayList<>(blocks);
            rest.sort(Comparator.comparingDouble(block -> block.sut().requestsPerSecond()));
            while (!rest.isEmpty()) {
                double from = rest.getFirst().sut().requestsPerSecond();
                var alike = rest.stream().takeWhile(block -> block.sut().requestsPerSecond() <= LIKE_LOAD * from)
                        .toList();
                rest.subList(0, alike.size()).clear();
                effect = effect.plus(
                        alike.stream().map(LoadSegment::noise).reduce(NoiseExposure.NONE, NoiseExposure::plus));
            }
            return effect;
        }

        private Effect plus(NoiseExposure exposure) {
            var quiet = exposure.quiet();
            var disturbed = exposure.disturbed();
            if (quiet.windows() < MIN_WINDOWS || quiet.requests() == 0 || disturbed.windows() == 0) {
                return new Effect(compared, alone + disturbed.exceeding(), excess, difference, variance);
            }
            // The permutation test: windows are exchanged and not requests, which are late in clusters.
            var all = quiet.plus(disturbed);
            double mean = (double) all.exceeding() / all.windows();
            double spread = Math.max(0, all.squares() - all.windows() * mean * mean) / (all.windows() - 1);
            return new Effect(compared + disturbed.windows(), alone,
                    excess + disturbed.exceeding()
                            - (double) disturbed.requests() * quiet.exceeding() / quiet.requests(),
                    difference + disturbed.exceeding() - disturbed.windows() * mean,
                    variance + spread * disturbed.windows() * quiet.windows() / all.windows());
        }

        /** Returns the number of requests beyond the limit that noise explains; 0 when it may be chance. */
        double explained() {
            return compared >= MIN_WINDOWS && variance > 0 && difference > ERRORS * Math.sqrt(variance)
                    ? Math.max(0, excess)
                    : 0;
        }
    }
}

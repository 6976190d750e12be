// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.GaugeStats;
import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.analyzer.runstats.LoadSegment;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.TrafficStats;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.sla.MetricUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Compares the SUT at the loads that ended the run with the SUT at rest, which is at its natural share.
 *
 * @param top blocks at the highest loads
 * @param rest blocks at the natural load, or else at the lowest loads
 */
record PeakIdleComparison(RunStatistics statistics, List<LoadSegment> top, List<LoadSegment> rest) {

    /** Part of the highest load from which on a block is at the top. */
    private static final double NEAR_THE_TOP = 0.9;

    /** Shortest block that is used. */
    private static final double MIN_SECONDS = 1;

    static PeakIdleComparison of(RunStatistics statistics) {
        var usable = usableBlocks(statistics).toList();
        double highest = usable.stream().mapToDouble(PeakIdleComparison::load).max().orElse(0);
        double lowest = usable.stream().mapToDouble(PeakIdleComparison::load).min().orElse(0);
        var top = usable.stream().filter(block -> load(block) >= NEAR_THE_TOP * highest).toList();
        var natural = usable.stream().filter(block -> block.phase() == SearchAdvice.Phase.BASELINE).toList();
        return new PeakIdleComparison(statistics, top, natural.isEmpty()
                ? usable.stream().filter(block -> load(block) <= lowest / NEAR_THE_TOP).toList()
                : natural);
    }

    /** Returns the blocks of a run that are long enough for a mean. */
    static Stream<LoadSegment> usableBlocks(RunStatistics statistics) {
        return statistics.blocks().stream().filter(block -> block.sut().seconds() >= MIN_SECONDS);
    }

    private static double load(LoadSegment segment) {
        return segment.sut().requestsPerSecond();
    }

    TrafficStats atTop() {
        return traffic(top);
    }

    TrafficStats atRest() {
        return traffic(rest);
    }

    /** Returns the number of windows that broke the SLA. */
    long breached() {
        return statistics.blocks().stream().mapToLong(block -> block.breachedWindows().all()).sum();
    }

    /** Returns the number of windows that broke the SLA and in which the instance stood still. */
    long stoodStill() {
        return statistics.blocks().stream().mapToLong(block -> block.breachedWindows().stoodStill()).sum();
    }

    /** Returns the mean latency at the top divided by the one at rest; NaN when unknown. */
    double latencyGrowth() {
        return atTop().meanLatency() / atRest().meanLatency();
    }

    /** Returns a gauge's mean at the top; NaN when it was not reported there. */
    double top(KnownGauge gauge) {
        return mean(top, gauge.gaugeName());
    }

    /** Returns a gauge's mean at rest; NaN when it was not reported there. */
    double rest(KnownGauge gauge) {
        return mean(rest, gauge.gaugeName());
    }

    double top(String gauge) {
        return mean(top, gauge);
    }

    double rest(String gauge) {
        return mean(rest, gauge);
    }

    /** Returns the highest value of a gauge at the top; NaN when it was not reported there. */
    double max(KnownGauge gauge) {
        return top.stream().flatMap(block -> block.level(gauge).stream()).mapToDouble(GaugeStats::most).max()
                .orElse(Double.NaN);
    }

    boolean measured(KnownGauge gauge) {
        return !Double.isNaN(top(gauge));
    }

    /**
     * Returns how much a figure follows the load, 0.3 to 1. A resource that is as full at rest as at the top has hardly ended the
     * run, although it may be full. The result is 1 when the figure at rest is unknown.
     */
    double follows(double atPeak, double idle) {
        double loadGrowth = Math.log(atTop().requestsPerSecond() / atRest().requestsPerSecond());
        double valueGrowth = Math.log(atPeak / idle);
        if (!Double.isFinite(loadGrowth) || loadGrowth < 0.05 || Double.isNaN(valueGrowth)) {
            return 1;
        }
        return 0.3 + 0.7 * BottleneckCandidate.rise(valueGrowth / loadGrowth, 0, 0.5);
    }

    /** Returns the load at the top, as a clause. */
    String atLoad() {
        return " at " + NamedValue.format(atTop().requestsPerSecond(), MetricUnit.REQUESTS_PER_SECOND);
    }

    /** Returns the parts of a gauge by their names in brackets, with their means at the top. */
    Map<String, Double> parts(KnownGauge gauge) {
        var parts = new TreeMap<String, Double>();
        statistics.gauges().forEach(name -> gauge.partOf(name).ifPresent(part -> {
            double value = top(name);
            if (!Double.isNaN(value)) {
                parts.put(part, value);
            }
        }));
        return parts;
    }

    /** Returns the name of the instance's program; empty when no collector has found its process. */
    Optional<String> program() {
        return statistics.gauges().stream().flatMap(name -> KnownGauge.PROCESS_PROGRAM.partOf(name).stream())
                .findFirst();
    }

    /** Returns true when two hyper-threads of a core of the instance's machine count as two cores; false when unknown. */
    boolean countsHyperthreads() {
        return statistics.blocks().stream().flatMap(block -> block.level(KnownGauge.CPU_HYPERTHREADS).stream())
                .anyMatch(active -> active.mean() > 0);
    }

    /** Returns the part of a gauge with the highest mean at the top, as a clause; empty when there is none. */
    String largest(KnownGauge gauge, String before) {
        return parts(gauge).entrySet().stream().max(Comparator.comparingDouble(Map.Entry::getValue))
                .map(part -> before + part.getKey() + " (" + NamedValue.format(part.getValue(), gauge.unit()) + ")")
                .orElse("");
    }

    /** Returns the method that threads ran most often at the top, as a clause; empty when no stacks were read. */
    String mostRun() {
        double samples = windows(KnownGauge.THREADS_BLOCKED.gaugeName());
        return parts(KnownGauge.THREADS_RUNNABLE).keySet().stream()
                .max(Comparator.comparingDouble(method -> windows(KnownGauge.THREADS_RUNNABLE.part(method))))
                .filter(method -> samples > 0)
                .map(method -> ", most often in " + method + " (in "
                        + NamedValue.format(windows(KnownGauge.THREADS_RUNNABLE.part(method)) / samples,
                                MetricUnit.RATIO)
                        + " of the windows)")
                .orElse("");
    }

    /** Returns how often all threads stood still at the top, and for how long, as a clause; empty without such a pause, or a figure of it. */
    String countedPauses(String before) {
        var times = parts(KnownGauge.PAUSES_TIME);
        return parts(KnownGauge.PAUSES_RATE).entrySet().stream().filter(cause -> cause.getValue() > 0)
                .map(cause -> NamedValue.format(cause.getValue(), KnownGauge.PAUSES_RATE.unit()) + " per second by "
                        + cause.getKey() + " for "
                        + NamedValue.format(times.getOrDefault(cause.getKey(), Double.NaN),
                                KnownGauge.PAUSES_TIME.unit())
                        + " of the time")
                .reduce((one, other) -> one + " and " + other)
                .map(pauses -> before + "pauses of 10 ms and more: " + pauses).orElse("");
    }

    /** Returns the number of windows at the top in which a gauge was reported. */
    private double windows(String gauge) {
        return top.stream().flatMap(block -> Optional.ofNullable(block.gauges().get(gauge)).stream())
                .mapToInt(GaugeStats::windows).sum();
    }

    /** Returns two numbers of each block as points for a fit. */
    double[][] pairs(ToDoubleFunction<LoadSegment> x, ToDoubleFunction<LoadSegment> y) {
        return usableBlocks(statistics).map(block -> new double[]{x.applyAsDouble(block), y.applyAsDouble(block)})
                .filter(pair -> Double.isFinite(pair[0]) && Double.isFinite(pair[1])).toArray(double[][]::new);
    }

    private static TrafficStats traffic(List<LoadSegment> blocks) {
        return blocks.stream().map(LoadSegment::sut).reduce(TrafficStats.NONE, TrafficStats::plus);
    }

    static double mean(List<LoadSegment> blocks, String gauge) {
        double sum = 0;
        double weight = 0;
        for (var block : blocks) {
            var level = block.gauges().get(gauge);
            if (level != null) {
                sum += level.mean() * level.windows();
                weight += level.windows();
            }
        }
        return weight > 0 ? sum / weight : Double.NaN;
    }
}

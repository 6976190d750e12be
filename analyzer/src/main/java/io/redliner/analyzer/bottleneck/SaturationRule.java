// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.sla.MetricUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A row of the table by which resources count as full.
 *
 * @param from the figure at the peak up to which the resource is not full
 * @param to the figure from which on it is full
 * @param weight strength of a full resource, 0 to 1: below 1 for figures that are a weak sign alone
 * @param message format with a place for the figure
 */
record SaturationRule(BottleneckKind kind, Figure figure, double from, double to, double weight, String message) {

    /**
     * Longest plausible wait for a pool, in parts of the latency growth. It is above 1 because pools are sampled at a few
     * moments.
     */
    private static final double MAX_WAIT = 1.5;

    /** Requests in flight below which a few blocked threads, or waiting connections, limit nothing. */
    private static final double MIN_IN_FLIGHT = 4;

    /** Figure at the highest loads up to which a resource is too empty to be the next limit. */
    private static final double MIN_USED = 0.3;

    /** Strength of a weak sign. */
    private static final double WEAK = 0.6;

    /** The rules. Their bounds are judgement, checked on simulated statistics and on the demo, whose bottleneck is known. */
    static final List<SaturationRule> TABLE = List.of(
            rule(BottleneckKind.CPU, KnownGauge.CPU, 0.7, 0.9, "the CPU was used to %s"),
            rule(BottleneckKind.CPU, KnownGauge.CPU_THREAD, 0.85, 0.98,
                    "one core was used to %s, by a single thread or by threads that take turns"),
            weak(BottleneckKind.CPU, KnownGauge.CPU_STEAL, 0.05, 0.25,
                    "the hypervisor gave %s of the CPU's time to others"),
            rule(BottleneckKind.CPU_QUOTA, KnownGauge.CPU_QUOTA, 0.75, 0.95, "the CPU quota was used to %s"),
            rule(BottleneckKind.CPU_QUOTA, KnownGauge.CPU_THROTTLED, 0.02, 0.2,
                    "the CPU quota was used up in %s of its periods"),
            // A full heap is normal.
            weak(BottleneckKind.MEMORY, KnownGauge.MEMORY, 0.9, 0.98, "memory was used to %s"),
            rule(BottleneckKind.MEMORY, KnownGauge.MEMORY_STALLED, 0.05, 0.3,
                    "threads waited for memory %s of the time"),
            rule(BottleneckKind.GARBAGE_COLLECTION, KnownGauge.GC_TIME, 0.05, 0.25,
                    "collections stopped the instance %s of the time"),
            rule(BottleneckKind.NETWORK_BANDWIDTH, KnownGauge.NET_LINK, 0.75, 0.92, "the network link was used to %s"),
            new SaturationRule(BottleneckKind.NETWORK_BANDWIDTH,
                    new Figure("net.used", MetricUnit.RATIO, SaturationRule::linkAtPeak, SaturationRule::linkIdle,
                            KnownGauge.NET_SPEED, false),
                    0.75, 0.92, 1, "the network link was used to %s"),
            rule(BottleneckKind.DISK, KnownGauge.DISK_BUSY, 0.8, 0.97, "the disk was busy %s of the time"),
            // A disk that is limited for one container has nothing to do; and one thread that always writes is no limit.
            weak(BottleneckKind.DISK, KnownGauge.IO_STALLED, 0.3, 0.8, "threads waited for a disk %s of the time"),
            derived(BottleneckKind.LOCK_CONTENTION, "blocked.per.request",
                    comparison -> ofInFlight(comparison, KnownGauge.THREADS_BLOCKED), KnownGauge.THREADS_BLOCKED, 0.1,
                    0.5, "%s of the requests in flight waited for a monitor"),
            rule(BottleneckKind.THREAD_OR_CONNECTION_POOL, KnownGauge.POOL_BUSY, 0.85, 0.98, "a pool was %s busy"),
            derived(BottleneckKind.THREAD_OR_CONNECTION_POOL, "pool.waited", SaturationRule::waitedForPool,
                    KnownGauge.POOL_WAITING, 0.3, 0.8,
                    "requests waited for a pool for %s of what they take longer than at rest"),
            // Whatever else is full keeps a program from accepting, too.
            new SaturationRule(BottleneckKind.THREAD_OR_CONNECTION_POOL,
                    Figure.derived("accept.per.request",
                            comparison -> ofInFlight(comparison, KnownGauge.SOCKETS_ACCEPT_QUEUE),
                            KnownGauge.SOCKETS_ACCEPT_QUEUE),
                    0.1, 0.5, WEAK,
                    "%s of the requests in flight waited until the program accepted their connection: all its workers were"
                            + " busy"),
            derived(BottleneckKind.DOWNSTREAM_SERVICE, "downstream.part", SaturationRule::waitedForDownstream,
                    KnownGauge.DOWNSTREAM_LATENCY, 0.3, 0.8,
                    "calls to other services were %s of what requests take longer than at rest"));

    /** Rates the resource in a run; empty when the figure was not measured. */
    Optional<BottleneckCandidate> candidate(PeakIdleComparison comparison) {
        double peak = figure.peak().applyAsDouble(comparison);
        if (!Double.isFinite(peak)) {
            return Optional.empty();
        }
        double idle = figure.idle().applyAsDouble(comparison);
        String clause = String.format(Locale.ROOT, message, NamedValue.format(peak, figure.unit()))
                + (figure.source() == KnownGauge.CPU ? "" : comparison.largest(figure.source(), ", most for "))
                + comparison.atLoad()
                + explanation(comparison)
                + (Double.isFinite(idle) ? " (at rest " + NamedValue.format(idle, figure.unit()) + ")" : "");
        double follows = comparison.follows(peak, idle);
        return Optional.of(new BottleneckCandidate(kind,
                weight * BottleneckCandidate.rise(peak, from, to) * follows, clause, figure.values(comparison),
                follows < 0.6 ? List.of("it was nearly as full at rest") : List.of()));
    }

    /** Returns what else the machine's figures say of the resource, as a clause; empty when nothing. */
    private String explanation(PeakIdleComparison comparison) {
        return switch (figure.source()) {
            case CPU -> cpuParts(comparison) + comparison.mostRun();
            case CPU_THREAD, CPU_QUOTA -> comparison.mostRun();
            case GC_TIME -> comparison.countedPauses(", ");
            case NET_LINK, NET_SPEED -> carried(comparison);
            default -> "";
        };
    }

    /** Returns the kernel's part of the machine's CPU time, and whether hyper-threads count as cores, as a clause. */
    private static String cpuParts(PeakIdleComparison comparison) {
        return (comparison.measured(KnownGauge.CPU_SYSTEM)
                ? ", " + NamedValue.format(comparison.top(KnownGauge.CPU_SYSTEM), MetricUnit.RATIO)
                        + " of the machine by the kernel"
                : "") + (comparison.countsHyperthreads() ? ", hyper-threads counted as cores" : "");
    }

    /**
     * Returns how many requests/s the links carry at the present bytes for each request of the SUT, as a clause. Empty when speed or
     * traffic were not measured.
     */
    private static String carried(PeakIdleComparison comparison) {
        double bytes = larger(comparison.top(KnownGauge.NET_TX), comparison.top(KnownGauge.NET_RX))
                / comparison.atTop().throughput();
        double most = comparison.top(KnownGauge.NET_SPEED) / bytes;
        return Double.isFinite(bytes) && Double.isFinite(most)
                ? ", " + NamedValue.format(bytes, MetricUnit.COUNT)
                        + " bytes on the link for each request, of which it carries "
                        + NamedValue.format(most, MetricUnit.REQUESTS_PER_SECOND)
                : "";
    }

    /**
     * Returns the figure at the peak when it is a used part of a resource, 0 to 1; empty for others and when it was not measured. How
     * long some thread waits is no such part.
     */
    OptionalDouble used(PeakIdleComparison comparison) {
        double peak = figure.peak().applyAsDouble(comparison);
        return figure.unit() == MetricUnit.RATIO && !figure.relative() && figure.source() != KnownGauge.IO_STALLED
                && Double.isFinite(peak)
                        ? OptionalDouble.of(peak)
                        : OptionalDouble.empty();
    }

    /**
     * Returns the load at which the resource would be full, in requests/s. It is on a straight line through the natural load and the
     * highest loads, or from zero when the figure at rest is unknown. NaN for weak signs, for a figure that does not grow with the
     * load or is relative to the figure at rest, and below {@value #MIN_USED}, or half of a full resource's figure if that is less.
     */
    double fullAt(PeakIdleComparison comparison) {
        double peak = figure.peak().applyAsDouble(comparison);
        if (weight < 1 || figure.relative() || !(peak >= Math.min(MIN_USED, to / 2))) {
            return Double.NaN;
        }
        double idle = figure.idle().applyAsDouble(comparison);
        double top = comparison.atTop().requestsPerSecond();
        double rest = comparison.atRest().requestsPerSecond();
        boolean line = Double.isFinite(idle) && rest < top;
        double slope = line ? (peak - idle) / (top - rest) : peak / top;
        return slope > 0 ? top + Math.max(0, to - peak) / slope : Double.NaN;
    }

    private static SaturationRule rule(BottleneckKind kind, KnownGauge gauge, double from, double to, String message) {
        return new SaturationRule(kind, Figure.of(gauge), from, to, 1, message);
    }

    private static SaturationRule weak(BottleneckKind kind, KnownGauge gauge, double from, double to, String message) {
        return new SaturationRule(kind, Figure.of(gauge), from, to, WEAK, message);
    }

    private static SaturationRule derived(BottleneckKind kind, String name,
            ToDoubleFunction<PeakIdleComparison> peak, KnownGauge source, double from, double to,
            String message) {
        return new SaturationRule(kind, Figure.derived(name, peak, source), from, to, 1, message);
    }

    private static double linkAtPeak(PeakIdleComparison comparison) {
        return larger(comparison.top(KnownGauge.NET_TX), comparison.top(KnownGauge.NET_RX))
                / comparison.top(KnownGauge.NET_SPEED);
    }

    private static double linkIdle(PeakIdleComparison comparison) {
        return larger(comparison.rest(KnownGauge.NET_TX), comparison.rest(KnownGauge.NET_RX))
                / comparison.rest(KnownGauge.NET_SPEED);
    }

    /** Returns the mean of a gauge that counts threads or connections, in parts of the requests in flight. */
    private static double ofInFlight(PeakIdleComparison comparison, KnownGauge gauge) {
        return comparison.top(gauge) / Math.max(MIN_IN_FLIGHT, comparison.atTop().inFlight().mean());
    }

    /** Returns the larger of the two numbers that are not NaN. */
    private static double larger(double one, double other) {
        return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
    }

    /** Returns the wait for a pool in parts of the latency growth. By Little's law, mean wait = mean queue length / rate. */
    private static double waitedForPool(PeakIdleComparison comparison) {
        double before = comparison.rest(KnownGauge.POOL_WAITING) / comparison.atRest().throughput();
        double waited = comparison.top(KnownGauge.POOL_WAITING) / comparison.atTop().throughput()
                - (Double.isNaN(before) ? 0 : before);
        double part = partOfGrowth(comparison, waited);
        // Tasks that wait longer than requests take are not those of the requests.
        return part <= MAX_WAIT ? Math.min(1, part) : Double.NaN;
    }

    private static double waitedForDownstream(PeakIdleComparison comparison) {
        double whole = comparison.top(KnownGauge.DOWNSTREAM_LATENCY) - comparison.rest(KnownGauge.DOWNSTREAM_LATENCY);
        var names = comparison.parts(KnownGauge.DOWNSTREAM_LATENCY).keySet().stream()
                .map(KnownGauge.DOWNSTREAM_LATENCY::part).toList();
        // Of many services the slowest are kept: one that is not among them at rest was no slower than they were.
        double fastest = names.stream().mapToDouble(comparison::rest).filter(Double::isFinite).min()
                .orElse(Double.NaN);
        double parts = names.stream().mapToDouble(name -> comparison.top(name)
                - (Double.isNaN(comparison.rest(name)) ? fastest : comparison.rest(name))).max().orElse(Double.NaN);
        return partOfGrowth(comparison, larger(whole, parts));
    }

    /** Returns seconds as a part of the latency growth; NaN when latency did not grow. */
    private static double partOfGrowth(PeakIdleComparison comparison, double seconds) {
        double growth = comparison.atTop().meanLatency() - comparison.atRest().meanLatency();
        return growth > 0 ? Math.max(0, seconds) / growth : Double.NaN;
    }
}

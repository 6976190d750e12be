// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.sla.MetricUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Saturation rules that combine several measurements, where a {@link SaturationRule} compares one with two bounds. They rate the
 * causes of pauses, send queues, and a ceiling of the requests in flight.
 */
final class CompositeSaturationRules {

    /** CPU time per second of a pause from which on the garbage collector was running during all of it. */
    private static final double RUNNING_COLLECTOR = 0.5;

    /** Fewest windows whose requests in flight show a ceiling. */
    private static final int MIN_SNAPSHOTS = 6;

    /** Smallest mean of requests in flight that is a ceiling. */
    private static final double MIN_IN_FLIGHT = 3;

    /** Size of a send queue up to which it limits nothing, in bytes: the default buffer of one socket. */
    private static final double ORDINARY_BYTES = 64 * 1024.0;

    /** Figures of a machine that stops processes, each with the value from which on it is said, the likeliest first. */
    private static final List<Stopper> STOPPERS = List.of(
            new Stopper(KnownGauge.MEMORY_STALLED, 0.1, "threads waited for memory"),
            new Stopper(KnownGauge.IO_STALLED, 0.3, "threads waited for the disk"),
            new Stopper(KnownGauge.DISK_BUSY, 0.5, "the disk was busy"),
            new Stopper(KnownGauge.CPU_STEAL, 0.1, "the hypervisor gave the CPU to others"),
            new Stopper(KnownGauge.CPU_THROTTLED, 0.1, "the quota of CPU time was used up"));

    private static final String SLOW_CLIENT = "slow-client";

    private static final String SLOW_NETWORK = "slow-network";

    private CompositeSaturationRules() {}

    static Stream<BottleneckCandidate> candidates(PeakIdleComparison comparison) {
        return Stream.of(pauses(comparison), queues(comparison), ceiling(comparison).stream()).flatMap(all -> all);
    }

    /**
     * Rates pauses in which all threads stand still. A collection that took much longer than the CPU time it used was stopped by
     * the operating system: its threads waited for memory to be read back from disk, or for a CPU.
     */
    private static Stream<BottleneckCandidate> pauses(PeakIdleComparison comparison) {
        String inBreaches = "; " + comparison.stoodStill() + " of " + comparison.breached()
                + " broken windows have such a pause" + comparison.countedPauses("; ");
        return Stream.concat(collections(comparison, inBreaches), standstill(comparison, inBreaches).stream());
    }

    private static Stream<BottleneckCandidate> collections(PeakIdleComparison comparison, String inBreaches) {
        double collection = comparison.max(KnownGauge.GC_PAUSE);
        if (!Double.isFinite(collection)) {
            return Stream.empty();
        }
        double cpu = comparison.top(KnownGauge.GC_PAUSE_CPU) / comparison.top(KnownGauge.GC_PAUSE);
        double byOthers = Double.isNaN(cpu) ? 0 : 1 - BottleneckCandidate.rise(cpu, 0.2, RUNNING_COLLECTOR);
        var figures = figures(comparison, KnownGauge.GC_PAUSE, collection, KnownGauge.GC_RATE,
                KnownGauge.GC_PAUSE_CPU);
        return Stream.of(
                new BottleneckCandidate(BottleneckKind.GARBAGE_COLLECTION,
                        pauseStrength(comparison, collection) * (1 - byOthers),
                        "the garbage collector stopped the instance for up to "
                                + NamedValue.format(collection, MetricUnit.SECONDS) + comparison.atLoad() + inBreaches,
                        figures, List.of()),
                new BottleneckCandidate(BottleneckKind.OPERATING_SYSTEM_PAUSES,
                        pauseStrength(comparison, collection) * byOthers,
                        "pauses of up to " + NamedValue.format(collection, MetricUnit.SECONDS) + " used CPU for only "
                                + NamedValue.format(cpu, MetricUnit.RATIO)
                                + " of their length: the operating system stopped the collector (swapping, disk or a busy host"
                                + meanwhile(comparison) + ")" + inBreaches,
                        figures, List.of()));
    }

    private static Optional<BottleneckCandidate> standstill(PeakIdleComparison comparison, String inBreaches) {
        double standstill = comparison.max(KnownGauge.PROCESS_PAUSE);
        return Double.isFinite(standstill)
                ? Optional.of(new BottleneckCandidate(BottleneckKind.OPERATING_SYSTEM_PAUSES,
                        pauseStrength(comparison, standstill),
                        "the process stood still for up to " + NamedValue.format(standstill, MetricUnit.SECONDS)
                                + " without a collection" + comparison.atLoad() + meanwhile(comparison) + inBreaches,
                        figures(comparison, KnownGauge.PROCESS_PAUSE, standstill), List.of()))
                : Optional.empty();
    }

    /** Returns what else the machine's figures show at this load that stops processes, as a clause; empty when nothing. */
    private static String meanwhile(PeakIdleComparison comparison) {
        return STOPPERS.stream().filter(stopper -> comparison.top(stopper.gauge()) >= stopper.from())
                .map(stopper -> "; meanwhile " + stopper.words() + " for "
                        + NamedValue.format(comparison.top(stopper.gauge()), MetricUnit.RATIO) + " of the time")
                .findFirst().orElse("");
    }

    /** Returns the strength of pauses: 1 when they are as long as the latency limit and most broken windows have one. */
    private static double pauseStrength(PeakIdleComparison comparison, double pause) {
        double limit = comparison.statistics().limits().latencySeconds();
        double inBreaches = comparison.breached() == 0 ? 0 : (double) comparison.stoodStill() / comparison.breached();
        return limit <= 0
                ? 0
                : BottleneckCandidate.rise(pause / limit, 0.4, 1) * BottleneckCandidate.rise(inBreaches, 0.2, 0.7);
    }

    /** Returns the figures of a pause and of other gauges, as far as they were measured. */
    private static List<NamedValue> figures(PeakIdleComparison comparison, KnownGauge gauge, double pause,
            KnownGauge... others) {
        return Stream.of(Stream.of(new NamedValue(gauge.gaugeName(), pause, gauge.unit())),
                Stream.of(others).filter(comparison::measured)
                        .map(other -> new NamedValue(other.gaugeName(), comparison.top(other), other.unit())),
                Stream.of(KnownGauge.PAUSES_RATE, KnownGauge.PAUSES_TIME)
                        .flatMap(counted -> comparison.parts(counted).entrySet().stream().map(
                                cause -> new NamedValue(counted.part(cause.getKey()), cause.getValue(),
                                        counted.unit()))))
                .flatMap(figures -> figures).toList();
    }

    /**
     * Rates send queues. Bytes that are sent and not acknowledged wait for the client when the client's receive queue is full, and
     * for the network otherwise. On Linux the kernel reports the case of each connection.
     */
    private static Stream<BottleneckCandidate> queues(PeakIdleComparison comparison) {
        double sent = comparison.top(KnownGauge.SOCKETS_SEND_QUEUE);
        if (Double.isNaN(sent)) {
            return Stream.of();
        }
        double clientPart = clientPart(comparison);
        double waiting = full(sent)
                * comparison.follows(sent, comparison.rest(KnownGauge.SOCKETS_SEND_QUEUE));
        String queue = NamedValue.format(sent, MetricUnit.COUNT) + " bytes waited to be taken from the instance"
                + comparison.atLoad() + " (at rest "
                + NamedValue.format(comparison.rest(KnownGauge.SOCKETS_SEND_QUEUE), MetricUnit.COUNT) + ")";
        var figures = Figure.of(KnownGauge.SOCKETS_SEND_QUEUE).values(comparison);
        if (Double.isNaN(clientPart)) {
            var unknown = List.of("whether the clients read was not measured");
            return Stream.of(
                    new BottleneckCandidate(BottleneckKind.SLOW_CLIENT, waiting / 2, queue, figures, unknown),
                    new BottleneckCandidate(BottleneckKind.SLOW_NETWORK, waiting / 2, queue, figures, unknown));
        }
        return Stream.of(
                new BottleneckCandidate(BottleneckKind.SLOW_CLIENT, waiting * clientPart,
                        queue + ", " + NamedValue.format(clientPart, MetricUnit.RATIO)
                                + " of them for clients that did not read",
                        figures, List.of()),
                new BottleneckCandidate(BottleneckKind.SLOW_NETWORK, waiting * (1 - clientPart),
                        queue + ", " + NamedValue.format(1 - clientPart, MetricUnit.RATIO)
                                + " of them for clients that had read all",
                        figures, List.of()));
    }

    /** Returns the part of the waiting connections that wait for a client that does not read; NaN when it was not measured. */
    private static double clientPart(PeakIdleComparison comparison) {
        var cases = comparison.parts(KnownGauge.SOCKETS_CASE);
        double slowClients = cases.getOrDefault(SLOW_CLIENT, 0.0);
        double slow = slowClients + cases.getOrDefault(SLOW_NETWORK, 0.0);
        if (slow > 0) {
            return slowClients / slow;
        }
        double unread = comparison.top(KnownGauge.CLIENT_RECEIVE_QUEUE);
        return Double.isNaN(unread)
                ? Double.NaN
                : full(unread);
    }

    /** Returns how full a queue of this size is, 0 to 1. */
    private static double full(double bytes) {
        return BottleneckCandidate.rise(Math.log(bytes / ORDINARY_BYTES), 0, Math.log(8));
    }

    /**
     * Finds a ceiling: requests in flight hardly vary while latency grows. The variance of an open stream of requests is at least
     * its mean (Poisson), so something in front of the instance limits the requests in flight.
     */
    private static Optional<BottleneckCandidate> ceiling(PeakIdleComparison comparison) {
        var top = comparison.atTop();
        double mean = top.inFlight().mean();
        double dispersion = top.inFlight().variance() / mean;
        if (top.inFlight().snapshots() < MIN_SNAPSHOTS || !(mean >= MIN_IN_FLIGHT) || Double.isNaN(dispersion)) {
            return Optional.empty();
        }
        return Optional.of(new BottleneckCandidate(BottleneckKind.THREAD_OR_CONNECTION_POOL,
                (1 - BottleneckCandidate.rise(dispersion, 0.15, 0.5))
                        * BottleneckCandidate.rise(comparison.latencyGrowth(), 1.1, 1.5),
                "requests in flight stay at " + NamedValue.format(mean, MetricUnit.COUNT) + " (variance "
                        + NamedValue.format(top.inFlight().variance(), MetricUnit.COUNT) + ") while latency is "
                        + NamedValue.format(comparison.latencyGrowth(), MetricUnit.COUNT)
                        + " times that at rest: only so many are let in",
                List.of(new NamedValue("in.flight", mean, MetricUnit.COUNT),
                        new NamedValue("in.flight.dispersion", dispersion, MetricUnit.COUNT)),
                List.of()));
    }

    private record Stopper(KnownGauge gauge, double from, String words) {}
}

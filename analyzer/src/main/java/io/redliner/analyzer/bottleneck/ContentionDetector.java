// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.analyzer.runstats.TrafficStats;
import io.redliner.sla.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What requests wait for inside the instance: monitors, pools, and other services. */
final class ContentionDetector {

    /** Of what requests take longer, allowing for what is measured at a few moments only. */
    private static final double LONGEST_WAIT = 1.5;

    private ContentionDetector() {}

    static Stream<BottleneckCandidate> suspects(PeakIdleComparison knee) {
        var downstream = downstream(knee);
        // A pool that is full because a slow service keeps its threads is a consequence.
        double explained = 0.7 * downstream.map(BottleneckCandidate::strength).orElse(0.0);
        return Stream.of(locks(knee), pool(knee).map(pool -> pool.weakened(1 - explained)), downstream)
                .flatMap(Optional::stream);
    }

    private static Optional<BottleneckCandidate> locks(PeakIdleComparison knee) {
        double blocked = knee.top(KnownGauge.THREADS_BLOCKED);
        if (Double.isNaN(blocked)) {
            return Optional.empty();
        }
        double inFlight = Math.max(1, knee.atTop().meanInFlight());
        double part = Math.min(1, blocked / inFlight);
        return Optional.of(new BottleneckCandidate(BottleneckKind.LOCK_CONTENTION,
                0.95 * BottleneckCandidate.rise(part, 0.1, 0.5) * BottleneckCandidate.rise(blocked, 0.5, 2)
                        * knee.follows(KnownGauge.THREADS_BLOCKED),
                NamedValue.words(blocked, Unit.COUNT) + " threads waited for a monitor"
                        + knee.largest(KnownGauge.THREADS_BLOCKED, ", most for ") + " with "
                        + NamedValue.words(inFlight, Unit.COUNT) + " requests in flight"
                        + HostSaturationDetector.load(knee),
                List.of(BottleneckCandidate.figure(KnownGauge.THREADS_BLOCKED, blocked),
                        new NamedValue("in.flight", inFlight, Unit.COUNT))));
    }

    private static Optional<BottleneckCandidate> pool(PeakIdleComparison knee) {
        var ceiling = ceiling(knee);
        double busy = Stream
                .concat(Stream.of(knee.top(KnownGauge.POOL_BUSY)), knee.parts(KnownGauge.POOL_BUSY).values().stream())
                .filter(Double::isFinite).max(Double::compare).orElse(Double.NaN);
        double waiting = knee.top(KnownGauge.POOL_WAITING);
        if (Double.isNaN(busy) && Double.isNaN(waiting)) {
            return ceiling;
        }
        double full = BottleneckCandidate.rise(busy, 0.85, 0.98);
        double queue = BottleneckCandidate.rise(waiting, 0.5, 3);
        // Each tells of the same thing; when only one was measured, it has to do alone.
        double strength = Double.isNaN(busy)
                ? 0.8 * queue
                : Double.isNaN(waiting)
                        ? 0.85 * full
                        : 0.95 * full
                                * (0.6 + 0.4 * queue);
        var figures = new ArrayList<NamedValue>();
        if (!Double.isNaN(busy)) {
            figures.add(BottleneckCandidate.figure(KnownGauge.POOL_BUSY, busy));
        }
        if (!Double.isNaN(waiting)) {
            figures.add(BottleneckCandidate.figure(KnownGauge.POOL_WAITING, waiting));
        }
        double part = waitedPart(knee, waiting);
        var told = new BottleneckCandidate(BottleneckKind.THREAD_OR_CONNECTION_POOL,
                Math.max(0.9 * BottleneckCandidate.rise(part, 0.3, 0.8),
                        strength * (knee.measured(KnownGauge.POOL_BUSY) ? knee.follows(KnownGauge.POOL_BUSY) : 1)),
                "a pool was " + NamedValue.words(busy, Unit.RATIO) + " busy"
                        + knee.largest(KnownGauge.POOL_BUSY, ", the fullest ")
                        + (Double.isNaN(waiting)
                                ? ""
                                : " and " + NamedValue.words(waiting, Unit.COUNT) + " waited for it")
                        + HostSaturationDetector.load(knee)
                        + (part > 0
                                ? ": " + NamedValue.words(Math.min(1, part), Unit.RATIO)
                                        + " of what requests take longer than at rest"
                                : ""),
                figures);
        return Optional.of(ceiling.filter(flat -> flat.strength() > told.strength()).orElse(told));
    }

    /**
     * How much of what requests take longer than at rest they wait for a pool. By Little's law a queue's mean length is the rate
     * times the mean wait. NaN when it is not known, when they take no longer, and when others wait than requests: these cannot
     * wait longer than they take.
     */
    private static double waitedPart(PeakIdleComparison knee, double waiting) {
        double longer = knee.atTop().meanLatency() - knee.atRest().meanLatency();
        double before = knee.rest(KnownGauge.POOL_WAITING);
        double waited = waiting / knee.atTop().throughput()
                - (Double.isNaN(before) ? 0 : before / knee.atRest().throughput());
        double part = Math.max(0, waited) / longer;
        return longer > 0 && part <= LONGEST_WAIT ? part : Double.NaN;
    }

    /**
     * Requests in flight that hardly vary while latency grows: an open stream of requests varies at least as much as its
     * mean (Poisson), so something in front of the instance lets only so many in.
     */
    private static Optional<BottleneckCandidate> ceiling(PeakIdleComparison knee) {
        TrafficStats top = knee.atTop();
        double mean = top.meanInFlight();
        double dispersion = top.inFlightVariance() / mean;
        if (top.snapshots() < 6 || !(mean >= 3) || Double.isNaN(dispersion)) {
            return Optional.empty();
        }
        double strength = 0.85 * (1 - BottleneckCandidate.rise(dispersion, 0.15, 0.5))
                * BottleneckCandidate.rise(knee.latencyGrowth(), 1.1, 1.5);
        return Optional.of(new BottleneckCandidate(BottleneckKind.THREAD_OR_CONNECTION_POOL, strength,
                "requests in flight stay at " + NamedValue.words(mean, Unit.COUNT) + " (variance "
                        + NamedValue.words(top.inFlightVariance(), Unit.COUNT) + ") while latency is "
                        + NamedValue.words(knee.latencyGrowth(), Unit.COUNT)
                        + " times that at rest: only so many are let in",
                List.of(new NamedValue("in.flight", mean, Unit.COUNT),
                        new NamedValue("in.flight.dispersion", dispersion, Unit.COUNT))));
    }

    private static Optional<BottleneckCandidate> downstream(PeakIdleComparison knee) {
        var all = knee.evidence().gauges().stream()
                .filter(name -> name.equals(KnownGauge.DOWNSTREAM_LATENCY.gaugeName())
                        || KnownGauge.DOWNSTREAM_LATENCY.partOf(name).isPresent())
                .toList();
        double growth = knee.atTop().meanLatency() - knee.atRest().meanLatency();
        return all.stream().map(name -> {
            double more = knee.top(name) - knee.rest(name);
            // Without growth at the instance there is nothing to explain.
            double part = growth > 0 ? Math.max(0, more / growth) : Double.NaN;
            String who = KnownGauge.DOWNSTREAM_LATENCY.partOf(name).orElse("the services it calls");
            return new BottleneckCandidate(BottleneckKind.DOWNSTREAM_SERVICE,
                    Double.isNaN(part) ? 0 : 0.9 * BottleneckCandidate.rise(part, 0.3, 0.8),
                    "calls to " + who + " took " + NamedValue.words(knee.top(name), Unit.SECONDS)
                            + HostSaturationDetector.load(knee)
                            + " and " + NamedValue.words(knee.rest(name), Unit.SECONDS) + " at rest: "
                            + NamedValue.words(part, Unit.RATIO) + " of what requests take longer",
                    Double.isFinite(knee.top(name))
                            ? List.of(new NamedValue(name, knee.top(name), Unit.SECONDS))
                            : List.of());
        }).reduce((a, b) -> b.strength() > a.strength() ? b : a);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.diagnosis;

import io.redliner.analyzer.evidence.Flow;
import io.redliner.analyzer.evidence.Gauge;
import io.redliner.sla.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What requests wait for inside the instance: monitors, pools, and other services. */
final class Waiting {

    private Waiting() {}

    static Stream<Suspect> suspects(Knee knee) {
        var downstream = downstream(knee);
        // A pool that is full because a slow service keeps its threads is a consequence.
        double explained = 0.7 * downstream.map(Suspect::strength).orElse(0.0);
        return Stream.of(locks(knee), pool(knee).map(pool -> pool.weakened(1 - explained)), downstream)
                .flatMap(Optional::stream);
    }

    private static Optional<Suspect> locks(Knee knee) {
        double blocked = knee.top(Gauge.THREADS_BLOCKED);
        if (Double.isNaN(blocked)) {
            return Optional.empty();
        }
        double inFlight = Math.max(1, knee.atTop().meanInFlight());
        double part = Math.min(1, blocked / inFlight);
        return Optional.of(new Suspect(Resource.LOCK_CONTENTION,
                0.95 * Suspect.rise(part, 0.1, 0.5) * Suspect.rise(blocked, 0.5, 2)
                        * knee.follows(Gauge.THREADS_BLOCKED),
                Figure.words(blocked, Unit.COUNT) + " threads waited for a monitor"
                        + knee.largest(Gauge.THREADS_BLOCKED, ", most for ") + " with "
                        + Figure.words(inFlight, Unit.COUNT) + " requests in flight" + Machine.load(knee),
                List.of(Suspect.figure(Gauge.THREADS_BLOCKED, blocked),
                        new Figure("in.flight", inFlight, Unit.COUNT))));
    }

    private static Optional<Suspect> pool(Knee knee) {
        var ceiling = ceiling(knee);
        double busy = Stream.concat(Stream.of(knee.top(Gauge.POOL_BUSY)), knee.parts(Gauge.POOL_BUSY).values().stream())
                .filter(Double::isFinite).max(Double::compare).orElse(Double.NaN);
        double waiting = knee.top(Gauge.POOL_WAITING);
        if (Double.isNaN(busy) && Double.isNaN(waiting)) {
            return ceiling;
        }
        double full = Suspect.rise(busy, 0.85, 0.98);
        double queue = Suspect.rise(waiting, 0.5, 3);
        // Each tells of the same thing; when only one was measured, it has to do alone.
        double strength = Double.isNaN(busy)
                ? 0.8 * queue
                : Double.isNaN(waiting)
                        ? 0.85 * full
                        : 0.95 * full
                                * (0.6 + 0.4 * queue);
        var figures = new ArrayList<Figure>();
        if (!Double.isNaN(busy)) {
            figures.add(Suspect.figure(Gauge.POOL_BUSY, busy));
        }
        if (!Double.isNaN(waiting)) {
            figures.add(Suspect.figure(Gauge.POOL_WAITING, waiting));
        }
        var told = new Suspect(Resource.THREAD_OR_CONNECTION_POOL,
                strength * (knee.measured(Gauge.POOL_BUSY) ? knee.follows(Gauge.POOL_BUSY) : 1),
                "a pool was " + Figure.words(busy, Unit.RATIO) + " busy"
                        + knee.largest(Gauge.POOL_BUSY, ", the fullest ")
                        + (Double.isNaN(waiting) ? "" : " and " + Figure.words(waiting, Unit.COUNT) + " waited for it")
                        + Machine.load(knee),
                figures);
        return Optional.of(ceiling.filter(flat -> flat.strength() > told.strength()).orElse(told));
    }

    /**
     * Requests in flight that hardly vary while latency grows: an open stream of requests varies at least as much as its
     * mean (Poisson), so something in front of the instance lets only so many in.
     */
    private static Optional<Suspect> ceiling(Knee knee) {
        Flow top = knee.atTop();
        double mean = top.meanInFlight();
        double dispersion = top.inFlightVariance() / mean;
        if (top.snapshots() < 6 || !(mean >= 3) || Double.isNaN(dispersion)) {
            return Optional.empty();
        }
        double strength = 0.85 * (1 - Suspect.rise(dispersion, 0.15, 0.5))
                * Suspect.rise(knee.latencyGrowth(), 1.1, 1.5);
        return Optional.of(new Suspect(Resource.THREAD_OR_CONNECTION_POOL, strength,
                "requests in flight stay at " + Figure.words(mean, Unit.COUNT) + " (variance "
                        + Figure.words(top.inFlightVariance(), Unit.COUNT) + ") while latency is "
                        + Figure.words(knee.latencyGrowth(), Unit.COUNT)
                        + " times that at rest: only so many are let in",
                List.of(new Figure("in.flight", mean, Unit.COUNT),
                        new Figure("in.flight.dispersion", dispersion, Unit.COUNT))));
    }

    private static Optional<Suspect> downstream(Knee knee) {
        var all = knee.evidence().gauges().stream()
                .filter(name -> name.equals(Gauge.DOWNSTREAM_LATENCY.gaugeName())
                        || Gauge.DOWNSTREAM_LATENCY.partOf(name).isPresent())
                .toList();
        double growth = knee.atTop().meanLatency() - knee.atRest().meanLatency();
        return all.stream().map(name -> {
            double more = knee.top(name) - knee.rest(name);
            // Without growth at the instance there is nothing to explain.
            double part = growth > 0 ? Math.max(0, more / growth) : Double.NaN;
            String who = Gauge.DOWNSTREAM_LATENCY.partOf(name).orElse("the services it calls");
            return new Suspect(Resource.DOWNSTREAM_SERVICE,
                    Double.isNaN(part) ? 0 : 0.9 * Suspect.rise(part, 0.3, 0.8),
                    "calls to " + who + " took " + Figure.words(knee.top(name), Unit.SECONDS) + Machine.load(knee)
                            + " and " + Figure.words(knee.rest(name), Unit.SECONDS) + " at rest: "
                            + Figure.words(part, Unit.RATIO) + " of what requests take longer",
                    Double.isFinite(knee.top(name))
                            ? List.of(new Figure(name, knee.top(name), Unit.SECONDS))
                            : List.of());
        }).reduce((a, b) -> b.strength() > a.strength() ? b : a);
    }
}

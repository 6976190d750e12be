// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Measured;
import io.redliner.sla.Overdue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** M/G/c: Poisson arrivals, one queue, c workers, log-normal service times, and an answer 503 when the queue is full. */
final class SimulatedServer {

    /** What makes one server differ from another. */
    record Kind(int workers, double meanServiceSeconds, double variation, double limitSeconds, int queueBound) {

        double saturation() {
            return workers / meanServiceSeconds;
        }

        /** The load at which 1 % of the requests break the limit, by a long simulation. */
        double trueCapacity() {
            double low = 0.3 * saturation();
            double high = saturation();
            while (high / low > 1.002) {
                double load = Math.sqrt(low * high);
                if (slowRatio(load) > 0.01) {
                    high = load;
                } else {
                    low = load;
                }
            }
            return low;
        }

        private double slowRatio(double load) {
            var server = new SimulatedServer(this, 4711);
            double seconds = 600_000 / load;
            server.window(load, seconds / 20);
            var measured = server.window(load, seconds);
            long slow = measured.latency().getTotalCount()
                    - measured.latency().countAtOrBelow(Math.round(limitSeconds * 1e6));
            return (double) slow / measured.completed();
        }
    }

    private record Ending(double at, double latency, boolean refused) {}

    private final Kind kind;

    private final RandomGenerator random;

    private final PriorityQueue<Double> workersFreeAt = new PriorityQueue<>();

    private final PriorityQueue<Ending> endings = new PriorityQueue<>((a, b) -> Double.compare(a.at, b.at));

    private final PriorityQueue<Double> overdueAt = new PriorityQueue<>();

    private double now;

    SimulatedServer(Kind kind, long seed) {
        this.kind = kind;
        this.random = new SplittableRandom(seed);
        for (int i = 0; i < kind.workers; i++) {
            workersFreeAt.add(0.0);
        }
    }

    long inFlight() {
        return endings.size();
    }

    /** The next window, with this many requests/s arriving. */
    Measured window(double load, double seconds) {
        var latency = new Histogram(3);
        latency.setAutoResize(true);
        double end = now + seconds;
        long started = 0;
        long[] counts = new long[3];
        for (double at = now + gap(load); at < end; at += gap(load)) {
            collect(at, latency, counts);
            arrive(at);
            started++;
        }
        collect(end, latency, counts);
        long newlyOverdue = 0;
        while (!overdueAt.isEmpty() && overdueAt.peek() < end) {
            overdueAt.poll();
            newlyOverdue++;
        }
        now = end;
        return new Measured(Duration.ofNanos(Math.round(seconds * 1e9)), started, counts[0], counts[1], 0, latency,
                List.of(new Overdue(Duration.ofNanos(Math.round(kind.limitSeconds * 1e9)), newlyOverdue, counts[2])),
                Map.of());
    }

    private double gap(double load) {
        return load <= 0 ? Double.POSITIVE_INFINITY : -Math.log(1 - random.nextDouble()) / load;
    }

    private void arrive(double at) {
        if (endings.size() >= kind.workers + kind.queueBound) {
            endings.add(new Ending(at + 0.0005, 0.0005, true));
            return;
        }
        double sigmaSquared = Math.log1p(kind.variation * kind.variation);
        double service = kind.meanServiceSeconds
                * Math.exp(Math.sqrt(sigmaSquared) * random.nextGaussian() - sigmaSquared / 2);
        double done = Math.max(at, workersFreeAt.remove()) + service;
        workersFreeAt.add(done);
        endings.add(new Ending(done, done - at, false));
        if (done - at > kind.limitSeconds) {
            overdueAt.add(at + kind.limitSeconds);
        }
    }

    private void collect(double until, Histogram latency, long[] counts) {
        while (!endings.isEmpty() && endings.peek().at < until) {
            var ending = endings.remove();
            counts[0]++;
            counts[1] += ending.refused ? 1 : 0;
            counts[2] += ending.latency > kind.limitSeconds ? 1 : 0;
            latency.recordValue(Math.round(ending.latency * 1e6));
        }
    }
}

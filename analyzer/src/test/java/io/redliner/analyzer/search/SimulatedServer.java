// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.OverdueRequests;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** M/G/c: Poisson arrivals, one queue, c workers, log-normal service times, and an answer 503 when the queue is full. */
final class SimulatedServer {

    /**
     * What makes one server differ from another.
     *
     * @param contention how much longer each service takes for each request in the queue, relative
     * @param coldFactor how many times as long everything takes at first
     */
    record Kind(int workers, double meanServiceSeconds, double variation, double limitSeconds, int queueBound,
            double contention, double coldFactor) {

        /** Mean service 10 ms, p99 below 50 ms. */
        static final Kind ORDINARY = new Kind(8, 0.01, 0.7, 0.05, 200, 0, 1);

        Kind contended(double newContention) {
            return new Kind(workers, meanServiceSeconds, variation, limitSeconds, queueBound, newContention,
                    coldFactor);
        }

        Kind cold(double newFactor) {
            return new Kind(workers, meanServiceSeconds, variation, limitSeconds, queueBound, contention, newFactor);
        }

        double saturation() {
            return workers / meanServiceSeconds;
        }

        /** The load at which 1 % of the requests break the limit, by a long simulation. */
        double trueCapacity() {
            double low = 0.3 * saturation();
            double high = saturation();
            while (high / low > 1.004) {
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
            double seconds = 400_000 / load;
            server.window(load, seconds / 20);
            var measured = server.window(load, seconds);
            long slow = measured.latency().getTotalCount()
                    - measured.latency().countAtOrBelow(Math.round(limitSeconds * 1e6));
            return (double) slow / measured.completed();
        }
    }

    private record Ending(double at, double latency, boolean refused) {}

    private static final double WARMING_SECONDS = 6;

    private final Kind kind;

    private final RandomGenerator random;

    private final PriorityQueue<Double> workersFreeAt = new PriorityQueue<>();

    private final PriorityQueue<Ending> endings = new PriorityQueue<>((a, b) -> Double.compare(a.at, b.at));

    private final PriorityQueue<Double> overdueAt = new PriorityQueue<>();

    private double now;

    private double lowRateFactor = 1;

    private double pausedFrom = Double.POSITIVE_INFINITY;

    private double pausedUntil = Double.POSITIVE_INFINITY;

    /** From this load on, requests/s, 20 threads are blocked, and below it one. */
    double blocksAt = Double.POSITIVE_INFINITY;

    /** From this load on, requests/s, hardly anything completes. */
    double stallsAt = Double.POSITIVE_INFINITY;

    private final Deque<Double> reported = new ArrayDeque<>();

    private int gaugeLagWindows;

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

    /** The reported CPU utilisation is so many windows old. */
    void gaugesLag(int windows) {
        gaugeLagWindows = windows;
    }

    /** From now on everything takes so many times as long as at the beginning. */
    void slowDown(double factor) {
        lowRateFactor = factor;
    }

    /** Nothing ends for some seconds from now. */
    void pause(double seconds) {
        pausedFrom = now;
        pausedUntil = now + seconds;
        var delayed = endings.stream().map(it -> new Ending(Math.max(it.at, pausedUntil),
                it.latency + Math.max(0, pausedUntil - it.at), it.refused)).toList();
        endings.clear();
        endings.addAll(delayed);
    }

    /** The next window, with this many requests/s arriving. */
    WindowStats window(double load, double seconds) {
        var latency = new Histogram(3);
        latency.setAutoResize(true);
        double end = now + seconds;
        if (load >= stallsAt) {
            pause(seconds);
        }
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
        double cpu = started / seconds * kind.meanServiceSeconds / kind.workers + 0.005 * random.nextGaussian();
        reported.addLast(Math.clamp(cpu, 0, 1));
        if (reported.size() > gaugeLagWindows + 1) {
            reported.removeFirst();
        }
        return new WindowStats(Duration.ofNanos(Math.round(seconds * 1e9)), started, counts[0], counts[1], 0, latency,
                List.of(new OverdueRequests(Duration.ofNanos(Math.round(kind.limitSeconds * 1e9)), newlyOverdue,
                        counts[2])),
                Map.of("cpu", reported.getFirst(), "threads.blocked", load >= blocksAt ? 20.0 : 1.0));
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
        double crowd = 1 + kind.contention * Math.max(0, endings.size() - kind.workers);
        double cold = 1 + (kind.coldFactor - 1) * Math.exp(-at / WARMING_SECONDS);
        double service = kind.meanServiceSeconds * lowRateFactor * crowd * cold
                * Math.exp(Math.sqrt(sigmaSquared) * random.nextGaussian() - sigmaSquared / 2);
        double begin = Math.max(at, workersFreeAt.remove());
        double done = (begin >= pausedFrom ? Math.max(begin, pausedUntil) : begin) + service;
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

// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * The instance under test: M/M/c, that is Poisson arrivals, one queue, c workers and exponential service times. A request
 * that would wait too long is refused.
 */
final class Sut {

    /**
     * What the requests of one window came to.
     *
     * @param started that arrived in it
     * @param refused of those completed
     * @param late whose age passed the limit in this window
     * @param settled completed, of those late in this window or before
     */
    record Window(long started, long completed, long refused, long late, long settled, long inFlight, double busy,
            Histogram latency) {}

    static final int WORKERS = 4;

    /** The SLA's limit, in mean service times. */
    static final double LIMIT = 8;

    /** Load in Erlang at which one in a hundred takes longer than the limit. */
    static final double KNEE = knee();

    private static final double MAX_WAIT = 3 * LIMIT;

    private static final double REFUSED_AFTER = 0.0005;

    private final SplittableRandom random;

    private final double limit;

    private double service;

    private final double[] freeAt = new double[WORKERS];

    private double[] arrivals = new double[256];

    private double[] ends = new double[256];

    private boolean[] counted = new boolean[256];

    private int pending;

    private long started;

    private double work;

    private final Histogram latency = new Histogram(1, 60_000_000, 2);

    private double windowBegan;

    /** @param limit of the SLA in seconds; the mean service time follows from it */
    Sut(double limit, SplittableRandom random) {
        this.limit = limit;
        this.service = limit / LIMIT;
        this.random = random;
    }

    /** Requests/s at which one in a hundred takes longer than the limit. */
    static double capacity(double limit) {
        return KNEE * LIMIT / limit;
    }

    /** From now on everything takes so many times as long. */
    void slowDown(double factor) {
        service *= factor;
    }

    /** Requests arrive from one second to another; returns how many of them are late or refused. */
    long arrive(double from, double to, double rate) {
        long harmed = 0;
        if (rate <= 0) {
            return harmed;
        }
        for (double at = from + gap(1 / rate); at < to; at += gap(1 / rate)) {
            harmed += arrive(at) ? 1 : 0;
        }
        return harmed;
    }

    private boolean arrive(double at) {
        int first = 0;
        for (int worker = 1; worker < WORKERS; worker++) {
            first = freeAt[worker] < freeAt[first] ? worker : first;
        }
        double begin = Math.max(at, freeAt[first]);
        boolean refused = begin - at > MAX_WAIT * service;
        double end = at + REFUSED_AFTER;
        if (!refused) {
            double time = gap(service);
            work += time;
            end = begin + time;
            freeAt[first] = end;
        }
        if (pending == ends.length) {
            arrivals = Arrays.copyOf(arrivals, 2 * pending);
            ends = Arrays.copyOf(ends, 2 * pending);
            counted = Arrays.copyOf(counted, 2 * pending);
        }
        arrivals[pending] = at;
        ends[pending] = refused ? -end : end;
        counted[pending] = false;
        pending++;
        started++;
        return refused || end - at > limit;
    }

    private double gap(double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    /** Ends a window. The histogram is valid until the next one. */
    Window close(double end) {
        latency.reset();
        long completed = 0;
        long refused = 0;
        long late = 0;
        long settled = 0;
        int kept = 0;
        for (int i = 0; i < pending; i++) {
            double ended = Math.abs(ends[i]);
            boolean slow = ended - arrivals[i] > limit;
            if (slow && !counted[i] && arrivals[i] + limit < end) {
                counted[i] = true;
                late++;
            }
            if (ended < end) {
                completed++;
                refused += ends[i] < 0 ? 1 : 0;
                settled += slow ? 1 : 0;
                latency.recordValue(Math.max(1, Math.round((ended - arrivals[i]) * 1e6)));
            } else {
                arrivals[kept] = arrivals[i];
                ends[kept] = ends[i];
                counted[kept] = counted[i];
                kept++;
            }
        }
        pending = kept;
        Window window = new Window(started, completed, refused, late, settled, pending,
                Math.min(1, work / WORKERS / (end - windowBegan)), latency);
        started = 0;
        work = 0;
        windowBegan = end;
        return window;
    }

    private static double knee() {
        double low = 0.1;
        double high = WORKERS - 1e-3;
        while (high - low > 1e-6) {
            double middle = (low + high) / 2;
            if (longer(middle) > 0.01) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** Part of the requests of M/M/c that take longer than the limit, at a load in Erlang: Kleinrock 1975, vol. 1. */
    private static double longer(double load) {
        double term = 1;
        double sum = 1;
        for (int i = 1; i < WORKERS; i++) {
            term *= load / i;
            sum += term;
        }
        double all = term * load / WORKERS * WORKERS / (WORKERS - load);
        double waits = all / (sum + all);
        double spare = WORKERS - load - 1;
        double queue = Math.abs(spare) < 1e-9 ? LIMIT : (1 - Math.exp(-LIMIT * spare)) / spare;
        return Math.exp(-LIMIT) * (1 + waits * queue);
    }
}

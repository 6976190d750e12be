// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The true capacity of an instance of the demo: the largest rate of Poisson arrivals at which the 99th percentile of the
 * latency is within its limit and refusals are within theirs, sustained. Found by bisection over long simulated runs of
 * the very queue that serves the live traffic, with the same random numbers at every rate.
 *
 * @param model the instance
 * @param p99Limit limit of the latency's 99th percentile
 * @param errorLimit largest ratio of refused requests, 0 to 1
 */
public record TrueCapacity(InstanceModel model, Duration p99Limit, double errorLimit) {

    private static final int REQUESTS = 1_000_000;

    private static final int WARM_UP = 10_000;

    private static final double SLOW_ALLOWED = 0.01;

    private static final int BISECTIONS = 12;

    private static final long SEED = 20_140_401;

    /** Requests/s; exact to about a quarter of a percent, which is the sampling error of the simulated runs. */
    public double requestsPerSecond() {
        double holds = 0;
        double breaks = model.saturation() * 1.5;
        for (int bisection = 0; bisection < BISECTIONS; bisection++) {
            double middle = (holds + breaks) / 2;
            if (holdsAt(middle)) {
                holds = middle;
            } else {
                breaks = middle;
            }
        }
        return (holds + breaks) / 2;
    }

    private boolean holdsAt(double rate) {
        SplittableRandom root = new SplittableRandom(SEED);
        SplittableRandom arrivals = root.split();
        WorkerQueue queue = new WorkerQueue(model, root.split());
        int slow = 0;
        int refused = 0;
        double now = 0;
        for (int request = -WARM_UP; request < REQUESTS; request++) {
            now += arrivals.nextExponential() / rate * 1e9;
            OptionalLong done = queue.arrive((long) now);
            if (request >= 0 && done.isEmpty()) {
                refused++;
            } else if (request >= 0 && done.getAsLong() - (long) now > p99Limit.toNanos()) {
                slow++;
            }
            if (slow > SLOW_ALLOWED * REQUESTS || refused > errorLimit * REQUESTS) {
                return false;
            }
        }
        return true;
    }
}

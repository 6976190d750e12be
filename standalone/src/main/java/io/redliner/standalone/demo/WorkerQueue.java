// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * The queue of one instance, computed and not acted out: when a request arrives, the queue computes when it will be done. So the
 * capacity is set by the model alone, whatever the threads and timers of the machine do. The same code serves the live
 * instance and the calculation of its true capacity. Times are nanoseconds on any monotonic axis, and arrivals come in order.
 * Not thread-safe.
 */
final class WorkerQueue {

    private final InstanceModel model;

    private final RandomGenerator random;

    /** Mean of the logarithm of the service time in nanoseconds, so that the service time's mean is the model's. */
    private final double logMean;

    /** The times at which the workers are free again. */
    private final PriorityQueue<Long> freeAt = new PriorityQueue<>();

    /** The times at which the waiting requests will start. */
    private final PriorityQueue<Long> startsAt = new PriorityQueue<>();

    WorkerQueue(InstanceModel model, RandomGenerator random) {
        this.model = model;
        this.random = random;
        this.logMean = Math.log((double) model.meanServiceTime().toNanos()) - model.sigma() * model.sigma() / 2;
        for (int worker = 0; worker < model.workers(); worker++) {
            freeAt.add(Long.MIN_VALUE);
        }
    }

    /** Adds a request, and returns when it will be done; empty when the queue is full and the request is refused. */
    OptionalLong arrive(long now) {
        forgetStarted(now);
        if (startsAt.size() >= model.queueLimit() && freeAt.element() > now) {
            return OptionalLong.empty();
        }
        long start = Math.max(now, freeAt.remove());
        long done = start + serviceTime();
        freeAt.add(done);
        if (start > now) {
            startsAt.add(start);
        }
        return OptionalLong.of(done);
    }

    /** Returns the number of requests that wait for a worker. */
    int waiting(long now) {
        forgetStarted(now);
        return startsAt.size();
    }

    /** Returns the number of workers that serve a request. */
    long busy(long now) {
        return freeAt.stream().filter(time -> time > now).count();
    }

    private void forgetStarted(long now) {
        while (!startsAt.isEmpty() && startsAt.element() <= now) {
            startsAt.remove();
        }
    }

    private long serviceTime() {
        return (long) Math.exp(logMean + model.sigma() * random.nextGaussian());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.time.Duration;

/**
 * The model of an instance of the demo fleet: {@code workers} that each serve one request at a time, a log-normal service time,
 * and a queue in order of arrival that holds {@code queueLimit} waiting requests and refuses more (M/G/c/K).
 *
 * @param workers how many requests are served at the same time, >= 1
 * @param meanServiceTime mean time a worker needs for one request, > 0
 * @param sigma standard deviation of the logarithm of the service time, >= 0
 * @param queueLimit how many requests may wait, >= 0
 */
public record InstanceModel(int workers, Duration meanServiceTime, double sigma, int queueLimit) {

    public InstanceModel {
        if (workers < 1 || !meanServiceTime.isPositive() || sigma < 0 || queueLimit < 0) {
            throw new IllegalArgumentException(
                    "No instance can be like this: workers " + workers + ", mean service time "
                            + meanServiceTime + ", sigma " + sigma + ", queue limit " + queueLimit);
        }
    }

    /** Requests/s at which all workers are always busy. */
    double saturation() {
        return workers / (meanServiceTime.toNanos() / 1e9);
    }
}

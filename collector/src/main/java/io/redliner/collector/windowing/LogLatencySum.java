// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Adds up the natural logarithms of latencies in microseconds. */
final class LogLatencySum {

    private long requests;

    private double sum;

    private double squares;

    /** @param weight how many requests took so long */
    void add(long micros, int weight) {
        double logarithm = Math.log((double) Math.max(1, micros));
        requests += weight;
        sum += weight * logarithm;
        squares += weight * logarithm * logarithm;
    }

    void add(LogLatencySum other) {
        requests += other.requests;
        sum += other.sum;
        squares += other.squares;
    }

    long requests() {
        return requests;
    }

    /** Mean of the logarithms; 0 without a request. */
    double mean() {
        return requests == 0 ? 0 : sum / requests;
    }

    /** Variance of the logarithms; 0 without a request. */
    double variance() {
        return requests == 0 ? 0 : Math.max(0, squares / requests - mean() * mean());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import io.redliner.contract.histogram.Histograms;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * Latencies as a collector encodes them: log-normal around 20 ms, and some above the limit. Windows with as many requests
 * and as many slow ones share their histogram, so that making them costs the machine that is measured next to nothing.
 * For one thread.
 */
final class EncodedLatencies {

    private static final double MEDIAN_MICROS = 20_000;

    private static final double SPREAD = 0.5;

    private static final long LIMIT_MICROS = 200_000;

    private record Kind(long requests, long slow) {}

    private final Map<Kind, io.redliner.contract.v1.Histogram> encoded = new HashMap<>();

    private final SplittableRandom random = new SplittableRandom(1);

    /** Of so many requests, so many of them above the limit. */
    io.redliner.contract.v1.Histogram of(long requests, long slow) {
        return encoded.computeIfAbsent(new Kind(requests, slow), this::encode);
    }

    /** How long they take together, in the mean. */
    double seconds(long requests, long slow) {
        return (requests * MEDIAN_MICROS * Math.exp(SPREAD * SPREAD / 2) + slow * LIMIT_MICROS) / 1e6;
    }

    private io.redliner.contract.v1.Histogram encode(Kind kind) {
        var histogram = new Histogram(3);
        histogram.setAutoResize(true);
        for (long i = 0; i < kind.requests; i++) {
            double micros = MEDIAN_MICROS * Math.exp(SPREAD * random.nextGaussian());
            histogram.recordValue(i < kind.slow ? LIMIT_MICROS + (long) micros : Math.min((long) micros, LIMIT_MICROS));
        }
        return Histograms.encode(histogram);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import io.redliner.collector.kafka.ObservationEncoder;
import io.redliner.collector.windowing.ClosedWindow;
import io.redliner.collector.windowing.RequestRecord;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.v1.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * How far the percentiles of the windows, put together as the analyzer does, are from the exact ones of the same requests, and
 * the number of requests above a limit from the exact number. Everything passes through the collector's windows and the
 * observations' encoding. Argument: requests of each kind of traffic.
 */
public final class HistogramErrorBench {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9};

    private static final double PERCENTILE_TARGET = 0.01;

    private static final double COUNT_TARGET = 0.001;

    private static final int PER_WINDOW = 1_000;

    private static final int MICROS = 1_000;

    private enum Traffic {

        /** Around 20 ms. */
        LOG_NORMAL,

        /** Most at once, one in twenty by a slow way. */
        TWO_WAYS,

        /** Without a mean. */
        HEAVY_TAIL,

        /** All the same to within a microsecond: whatever is wrong with one is wrong with all. */
        CONSTANT;

        /** In microseconds. */
        long latency(SplittableRandom random) {
            return switch (this) {
                case LOG_NORMAL -> (long) (20_000 * Math.exp(0.5 * random.nextGaussian()));
                case TWO_WAYS -> random.nextInt(20) == 0 ? 300_000 + random.nextInt(50_000) : 800 + random.nextInt(400);
                case HEAVY_TAIL -> (long) Math.min(60e6, 5_000 / Math.pow(random.nextDouble(1e-9, 1), 1.1));
                case CONSTANT -> 123_457 + random.nextInt(2);
            };
        }
    }

    private HistogramErrorBench() {}

    /** Prints a table, and fails when a target is missed. */
    public static void main(String[] arguments) throws Exception {
        int requests = Integer.parseInt(arguments[0]);
        System.out.println("traffic       relative error at p50       p90       p95       p99     p99.9"
                + "   above p90, p99, 2 x p50: most off, of the requests");
        boolean reached = true;
        for (Traffic traffic : Traffic.values()) {
            reached &= measured(traffic, requests);
        }
        System.exit(reached ? 0 : 1);
    }

    private static boolean measured(Traffic traffic, int requests) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        long[] exact = new long[requests];
        for (int number = 0; number < requests; number++) {
            exact[number] = traffic.latency(random);
        }
        Histogram merged = throughWindows(exact);
        Arrays.sort(exact);
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-12s               ", traffic));
        double worst = 0;
        for (double percentile : PERCENTILES) {
            double truth = exact[rank(percentile, requests)];
            double error = merged.getValueAtPercentile(percentile) / truth - 1;
            worst = Math.max(worst, Math.abs(error));
            row.append(String.format(Locale.ROOT, " %8.4f%%", 100 * error));
        }
        double off = 0;
        for (long limit : new long[]{exact[rank(90, requests)], exact[rank(99, requests)],
            2 * exact[rank(50, requests)]}) {
            long truly = Arrays.stream(exact).filter(latency -> latency > limit).count();
            long counted = merged.getTotalCount() - merged.getCountBetweenValues(0, limit);
            off = Math.max(off, Math.abs(counted - truly) / (double) requests);
        }
        System.out.println(row + String.format(Locale.ROOT, "   %.4f%%", 100 * off));
        return worst <= PERCENTILE_TARGET && off <= COUNT_TARGET;
    }

    private static int rank(double percentile, int requests) {
        return Math.min(requests - 1, (int) Math.ceil(percentile / 100 * requests) - 1);
    }

    private static Histogram throughWindows(long[] latencies) throws Exception {
        WindowAggregator windows = TestedWindows.start();
        ObservationEncoder encoder = new ObservationEncoder("collector-1");
        RequestRecordStream stream = windows.open("shop", "node-1", NOON);
        RequestRecord report = new RequestRecord();
        Histogram merged = new Histogram(3);
        Instant now = NOON;
        for (int number = 0; number < latencies.length; number++) {
            if (number % PER_WINDOW == 0) {
                now = now.plus(Duration.ofSeconds(1));
                merge(windows, encoder, now, merged);
            }
            windows.accept(stream,
                    List.of(report.end("", "10.0.0.1:80", MICROS * now.toEpochMilli(), latencies[number])), now);
        }
        merge(windows, encoder, now.plusSeconds(2), merged);
        return merged;
    }

    private static void merge(WindowAggregator windows, ObservationEncoder encoder, Instant now, Histogram merged)
            throws Exception {
        for (ClosedWindow window : windows.closeDue(now)) {
            Observation observation = Observation.parseFrom(encoder.encode(window).toByteArray());
            windows.release(window);
            merged.add(decode(observation.getLatency()));
        }
    }

    static Histogram decode(io.redliner.contract.v1.Histogram encoded) {
        Histogram decoded = new Histogram(3);
        long lowest = 0;
        for (int bucket = 0; bucket < encoded.getCountsCount(); bucket++) {
            lowest += encoded.getIncrements(bucket);
            decoded.recordValueWithCount(lowest, encoded.getCounts(bucket));
        }
        return decoded;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.collector.kafka.ObservationEncoder;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.RequestRecord;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.v1.Observation;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What becomes of requests: recorded, sealed and written as an observation, read, and put together with another window. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ObservationWindowBenchmark {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String INSTANCE = "10.0.0.1:80";

    private static final int REQUESTS = 1_000;

    private static final int MICROS = 1_000;

    private final RequestRecord report = new RequestRecord();

    private final ObservationEncoder encoder = new ObservationEncoder("collector-1");

    private final Histogram sum = new Histogram(3);

    private WindowAggregator windows = TestedWindows.start();

    private RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    private final String[] ids = new String[REQUESTS];

    private final long[] latencies = new long[REQUESTS];

    private int next;

    private final WindowCounts sealed;

    private final byte[] encoded;

    private final Histogram decoded;

    /** A window of a thousand requests, log-normal around 20 ms. */
    public ObservationWindowBenchmark() {
        SplittableRandom random = new SplittableRandom(1);
        for (int number = 0; number < REQUESTS; number++) {
            ids[number] = "7f9c24e8-3b1a-4d5e-9f00-" + (100_000_000_000L + number);
            latencies[number] = (long) (20_000 * Math.exp(0.5 * random.nextGaussian()));
        }
        sealed = sealed();
        encoded = encode().toByteArray();
        decoded = decode();
        windows = TestedWindows.start();
        stream = windows.open("shop", "node-1", NOON);
    }

    /** The start and the end of one request. */
    @Benchmark
    public void record() {
        next = (next + 1) % REQUESTS;
        record(next);
    }

    /** A sealed window of a thousand requests as an observation. */
    @Benchmark
    public final Observation encode() {
        return encoder.encode(sealed, List.of(), List.of());
    }

    /** The observation, and its histogram. */
    @Benchmark
    public final Histogram decode() {
        try {
            return histogram(Observation.parseFrom(encoded).getLatency());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One window's histogram to another. */
    @Benchmark
    public void merge() {
        sum.add(decoded);
    }

    private static Histogram histogram(io.redliner.contract.v1.Histogram encoded) {
        Histogram decoded = new Histogram(3);
        long lowest = 0;
        for (int bucket = 0; bucket < encoded.getCountsCount(); bucket++) {
            lowest += encoded.getIncrements(bucket);
            decoded.recordValueWithCount(lowest, encoded.getCounts(bucket));
        }
        return decoded;
    }

    private void record(int number) {
        windows.accept(stream, List.of(report.start(ids[number], INSTANCE, MICROS * NOON.toEpochMilli())), NOON);
        windows.accept(stream,
                List.of(report.end(ids[number], INSTANCE, MICROS * NOON.toEpochMilli() + latencies[number],
                        latencies[number])),
                NOON);
    }

    private WindowCounts sealed() {
        for (int number = 0; number < REQUESTS; number++) {
            record(number);
        }
        return windows.closeDue(NOON.plusSeconds(2)).getFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.kafka.AnalyzerMetrics;
import io.redliner.analyzer.kafka.PartitionAnalyzer;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The analyzer's heart, without Kafka: one window of a service, which is three observations. With a live run they are
 * judged, the search goes on, and the state is written.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class WindowAnalysisBenchmark {

    private static final long START_MILLIS = 1_700_000_000_000L;

    /** Whether there is a run on the service. */
    @Param({"false", "true"})
    public boolean live;

    /** Whether its two peers are looked at. */
    @Param({"false", "true"})
    public boolean peersWatched;

    private PartitionAnalyzer analysis = heart(false);

    private SimulatedRun run = new SimulatedRun(1, new EncodedLatencies());

    private long start = START_MILLIS;

    /** Announces the run. */
    @Setup
    public void begin() {
        analysis = heart(peersWatched);
        run = new SimulatedRun(1, new EncodedLatencies());
        announce();
    }

    /** One window. Windows of a run whose search has ended are in the mean as well. */
    @Benchmark
    public int window() {
        var now = Instant.ofEpochMilli(start + SimulatedRun.WINDOW_MILLIS);
        int verdicts = 0;
        for (var observation : run.window(start)) {
            List<Verdict> said = analysis.record(Topic.OBSERVATIONS, run.service(), observation.toByteArray(),
                    now);
            verdicts += said.size();
            said.forEach(it -> {
                if (run.hear(it)) {
                    announce();
                }
            });
        }
        start += SimulatedRun.WINDOW_MILLIS;
        return verdicts;
    }

    private void announce() {
        if (live) {
            analysis.record(Topic.RUNS, run.service(), run.spec().toByteArray(),
                    Instant.ofEpochMilli(start));
        }
    }

    private static PartitionAnalyzer heart(boolean peersWatched) {
        var settings = SearchSettings.defaults();
        return PartitionAnalyzer.of(Duration.ofMillis(750), peersWatched ? settings : settings.withoutWatching(),
                new AnalyzerMetrics(new SimpleMeterRegistry()));
    }
}

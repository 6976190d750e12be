// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.scale;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.kafka.AnalyzerMetrics;
import io.redliner.analyzer.kafka.PartitionAnalyzer;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.state.EncodedVerdict;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.SearchPhase;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory that live runs take: the analyzer's heart in virtual time, with runs that have come to ride, as what the heap
 * holds after a collection with them and without them. The stored states are in it, as they are in the in-memory store of
 * Kafka Streams. In the middle of a window, when two of three instances have been reported. Arguments: the numbers of runs,
 * and the windows before the look.
 */
public final class MemoryBench {

    private static final long START_MILLIS = 1_700_000_000_000L;

    private static final double KIB = 1_024;

    private static final double MOST_KIB = 256;

    private record Row(int runs, double kib, double storedKib, long riding) {

        double perRun(Row without) {
            return runs == 0 ? 0 : (kib - without.kib) / runs;
        }
    }

    private MemoryBench() {}

    /** Measures, prints a table, and fails when a run takes more than 256 KiB. */
    public static void main(String[] arguments) {
        var counts = Arrays.stream(arguments[0].split(",", -1)).map(Integer::valueOf).toList();
        int windows = Integer.parseInt(arguments[1]);
        // So that what is loaded and made once is there before the first look.
        measured(10, windows);
        var rows = new ArrayList<Row>();
        for (int count : counts) {
            rows.add(measured(count, windows));
        }
        var without = rows.getFirst();
        System.out.println("runs  riding  heap KiB  per run KiB  state per run KiB");
        rows.forEach(row -> System.out.printf(Locale.ROOT, "%4d  %6d  %8.0f  %11.1f  %17.1f%n", row.runs, row.riding,
                row.kib, row.perRun(without), row.storedKib));
        var last = rows.getLast();
        System.out.printf(Locale.ROOT, "R^2 of a line: %.6f%n", linearity(rows));
        System.exit(last.perRun(without) <= MOST_KIB ? 0 : 1);
    }

    private static Row measured(int count, int windows) {
        var latencies = new Latencies();
        var registry = new SimpleMeterRegistry();
        var analysis = PartitionAnalyzer.of(Duration.ofMillis(750), SearchSettings.defaults(),
                new AnalyzerMetrics(registry));
        var fleet = new TreeMap<String, SimulatedRun>();
        for (int i = 0; i < count; i++) {
            var run = new SimulatedRun(i, latencies);
            fleet.put(run.service(), run);
            announce(analysis, run, Instant.ofEpochMilli(START_MILLIS));
        }
        long start = START_MILLIS;
        for (int window = 0; window < windows; window++) {
            var now = Instant.ofEpochMilli(start + SimulatedRun.WINDOW_MILLIS);
            for (var run : fleet.values()) {
                for (var observation : run.window(start)) {
                    hear(analysis, fleet, analysis.record(Topic.OBSERVATIONS, run.service(),
                            observation.toByteArray(), now), now);
                }
            }
            start += SimulatedRun.WINDOW_MILLIS;
        }
        var now = Instant.ofEpochMilli(start + SimulatedRun.WINDOW_MILLIS);
        for (var run : fleet.values()) {
            run.window(start).stream().limit(SimulatedRun.INSTANCES - 1L).forEach(observation -> analysis
                    .record(Topic.OBSERVATIONS, run.service(), observation.toByteArray(), now));
        }
        long with = heap();
        long riding = fleet.values().stream()
                .filter(run -> run.searchPhase() == SearchPhase.SEARCH_PHASE_CONFIRMING).count();
        // Whatever is used afterwards was reachable when the heap was looked at.
        analysis.tick(now);
        double stored = registry.get("redliner.analyzer.state").summary().mean();
        return new Row(count, with / KIB, stored / KIB, riding);
    }

    private static void announce(PartitionAnalyzer analysis, SimulatedRun run, Instant now) {
        analysis.record(Topic.RUNS, run.service(), run.spec().toByteArray(), now);
    }

    private static void hear(PartitionAnalyzer analysis, Map<String, SimulatedRun> fleet, List<EncodedVerdict> said,
            Instant now) {
        for (var it : said) {
            var run = fleet.get(it.service());
            if (run != null && run.hear(it.verdict())) {
                announce(analysis, run, now);
            }
        }
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static double linearity(List<Row> rows) {
        double meanX = rows.stream().mapToDouble(Row::runs).average().orElse(0);
        double meanY = rows.stream().mapToDouble(Row::kib).average().orElse(0);
        double xy = rows.stream().mapToDouble(row -> (row.runs - meanX) * (row.kib - meanY)).sum();
        double xx = rows.stream().mapToDouble(row -> (row.runs - meanX) * (row.runs - meanX)).sum();
        double yy = rows.stream().mapToDouble(row -> (row.kib - meanY) * (row.kib - meanY)).sum();
        return xy * xy / (xx * yy);
    }
}

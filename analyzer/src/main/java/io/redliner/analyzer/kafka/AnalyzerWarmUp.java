// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.histogram.Histograms;
import io.redliner.contract.v1.Limits;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Rule;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Judges and takes over an artificial run at the start. On a busy machine it takes seconds to load the classes for it, which is
 * longer than a controller waits, and a standby analyzer has loaded none of them. Nothing is published, counted or stored.
 *
 * @param grace as in the analysis
 * @param search as in the analysis
 */
record AnalyzerWarmUp(Duration grace, SearchSettings search) {

    private static final String SERVICE = "(warm-up)";

    private static final String SUT = "127.0.0.1:1";

    private static final String PEER = "127.0.0.1:2";

    private static final Instant BEGIN = Instant.EPOCH;

    private static final int TAKEOVER = 10;

    private static final int END = 15;

    /** Runs the warm-up; returns the verdicts before and after the takeover. */
    List<Verdict> perform() {
        var table = new TreeMap<String, byte[]>();
        var first = analyzer(table);
        var verdicts = new ArrayList<>(first.record(Topic.RUNS, SERVICE, run(), BEGIN));
        verdicts.addAll(windows(first, 0, TAKEOVER));
        var second = analyzer(table);
        verdicts.addAll(second.restore(BEGIN.plusSeconds(TAKEOVER), Duration.ZERO));
        verdicts.addAll(windows(second, TAKEOVER, END));
        return verdicts;
    }

    private PartitionAnalyzer analyzer(TreeMap<String, byte[]> table) {
        return PartitionAnalyzer.over(table, grace, search, new AnalyzerMetrics(new SimpleMeterRegistry()));
    }

    private static List<Verdict> windows(PartitionAnalyzer analyzer, int from, int to) {
        var verdicts = new ArrayList<Verdict>();
        for (int window = from; window < to; window++) {
            var end = BEGIN.plusSeconds(window + 1);
            verdicts.addAll(
                    analyzer.record(Topic.OBSERVATIONS, SERVICE, observation(SUT, 2L * window + 1, window), end));
            verdicts.addAll(
                    analyzer.record(Topic.OBSERVATIONS, SERVICE, observation(PEER, 2L * window + 2, window), end));
            verdicts.addAll(analyzer.tick(end));
        }
        return verdicts;
    }

    private static byte[] run() {
        return RunSpec.newBuilder().setService(SERVICE).setRunId(SERVICE).setEpoch(1).setSut(SUT)
                .setPhase(RunPhase.RUN_PHASE_BASELINE)
                .addSla(Rule.newBuilder().setName("latency").setExpression("latency.p99 <= duration('1s')"))
                .addGuards(Rule.newBuilder().setName("errors").setExpression("service.error_rate <= 0.01"))
                .setLimits(Limits.newBuilder().setMaxSharePpm(600_000).setMaxRaise(2)).setWindowLengthMs(1_000)
                .setNaturalSharePpm(500_000).build().toByteArray();
    }

    private static byte[] observation(String instance, long sequence, int window) {
        var latency = new Histogram(3);
        latency.recordValueWithCount(10_000, 100);
        return Observation.newBuilder().setService(SERVICE).setInstance(instance).setCollector(SERVICE)
                .setSequence(sequence).setWindowStartMs(BEGIN.plusSeconds(window).toEpochMilli())
                .setWindowLengthMs(1_000).setStarted(100).setCompleted(100).setInFlight(1).setProxies(1)
                .setLatency(Histograms.encode(latency)).build().toByteArray();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.LatencyHistory;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Latencies from before a run, which collectors hand over in some window of it, spare the run its watching. */
class HandedOverHistoryTest {

    private static final Instant BEGIN = Instant.ofEpochSecond(1_000);

    private static final List<String> INSTANCES = List.of(Messages.SUT, Messages.PEER, "10.0.0.3:8080");

    private static final String WATCHING = "watching how fast the peers usually are";

    private final Map<String, byte[]> table = new HashMap<>();

    private PartitionAnalyzer analysis = analyzer();

    private final List<Verdict> said = new ArrayList<>();

    private long sequence;

    /** Second 4 is the first of the run, second 7 the first of the baseline. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void a_run_on_a_service_that_had_requests_for_two_minutes_begins_at_once(int second) {
        run(second, -1);

        assertThat(reasons()).contains("measuring at the natural load").doesNotContain(WATCHING);
    }

    @Test
    void another_analyzer_that_takes_the_run_over_knows_it_too() {
        run(5, 6);

        assertThat(reasons()).contains("measuring at the natural load").doesNotContain(WATCHING);
    }

    @Test
    void without_a_history_the_peers_are_watched_first() {
        run(-1, -1);

        assertThat(reasons()).contains(WATCHING).doesNotContain("measuring at the natural load");
    }

    private void run(int historyAt, int takeoverAt) {
        for (int second = 0; second < 14; second++) {
            if (second == 3 || second == 6) {
                record(Topic.RUNS, Messages.run(
                        second == 3 ? RunPhase.RUN_PHASE_PREPARING : RunPhase.RUN_PHASE_BASELINE, 1).build()
                        .toByteArray(), second);
            }
            for (var instance : INSTANCES) {
                sequence++;
                var observation = Messages.observation(instance, sequence, at(second).toEpochMilli(), 100, 10);
                record(Topic.OBSERVATIONS,
                        (second == historyAt ? observation.setHistory(history(second)) : observation).build(),
                        second + 1);
            }
            said.addAll(analysis.tick(at(second + 1).plusMillis(800)));
            if (second == takeoverAt) {
                analysis = analyzer();
                said.addAll(analysis.restore(at(second + 1).plusMillis(900), Duration.ZERO));
            }
        }
    }

    private List<String> reasons() {
        return said.stream().map(verdict -> verdict.getAdvice().getReason()).distinct().toList();
    }

    private void record(Topic topic, Observation observation, int second) {
        record(topic, observation.toByteArray(), second);
    }

    private void record(Topic topic, byte[] value, int second) {
        said.addAll(analysis.record(topic, Messages.SERVICE, value, at(second)));
    }

    private PartitionAnalyzer analyzer() {
        return PartitionAnalyzer.over(table, Duration.ofMillis(750), SearchSettings.defaults(),
                new AnalyzerMetrics(new SimpleMeterRegistry()));
    }

    private static Instant at(int second) {
        return BEGIN.plusSeconds(second);
    }

    private static LatencyHistory history(int second) {
        var history = LatencyHistory.newBuilder().setStartMs(at(second - 120).toEpochMilli()).setPartLengthMs(1_000);
        for (int part = 0; part < 120; part++) {
            history.addRequests(100).addLnMeans((float) Math.log(10_000)).addLnVariances(0.01f);
        }
        return history.build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.codec.ObservationDecoder;
import io.redliner.analyzer.codec.RunSpecDecoder;
import io.redliner.analyzer.kafka.Messages;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.search.BayesianCapacitySearch;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.contract.v1.RunPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AnalyzerStateStoreTest {

    private static final int SECONDS = 60;

    private final Map<String, byte[]> table = new TreeMap<>();

    private final AnalyzerStateStore store = new AnalyzerStateStore(new KeyValueTable.InMemory(table),
            service -> List.of(), bytes -> {});

    private final TrackedService service = service();

    private long sequence;

    private int snapshots;

    private int progresses;

    /** Some observations are late, some are lost, and one collector falls silent for a while. */
    @Test
    void a_snapshot_for_each_step_and_the_windows_since_are_the_state_after_any_window() throws Exception {
        var run = run();
        service.analyzer().update(run, at(0));
        store.saveSnapshot(service);

        for (int second = 0; second < SECONDS; second++) {
            observe(Messages.SUT, second, 10 + second / 4, at(second + 1));
            if (second % 9 == 4) {
                sequence++;
            }
            if (second % 7 != 3) {
                observe(Messages.PEER, second, 10, at(second + 1));
            }
            judge(at(second + 1).plusMillis(300));
            if (second % 7 == 3) {
                observe(Messages.PEER, second, 10, at(second + 1).plusMillis(400));
                store.saveProgress(service);
            }

            var other = service();
            var reading = new AnalyzerStateStore(new KeyValueTable.InMemory(table), name -> List.of(), bytes -> {});
            reading.resume(other, run, Objects.requireNonNull(reading.stored().get(Messages.SERVICE)), at(second + 2));
            assertThat(other.analyzer().state()).as("after second %s", second).isEqualTo(service.analyzer().state());
        }

        assertThat(service.analyzer().state().orElseThrow().run().evidence().coverage().late()).isPositive();
        assertThat(service.analyzer().state().orElseThrow().run().search().advice().step()).isGreaterThan(3);
        assertThat(snapshots).isBetween(5, SECONDS / 3);
        assertThat(progresses).isGreaterThan(SECONDS / 2);
    }

    private void observe(String instance, int second, int millis, Instant now) throws Exception {
        byte[] bytes = Messages.observation(instance, ++sequence, at(second).toEpochMilli(), 100, millis).build()
                .toByteArray();
        var observation = ObservationDecoder.read(Messages.SERVICE, bytes, true);
        if (service.analyzer().add(observation, now) == IngestResult.ACCEPTED) {
            store.appendObservation(Messages.SERVICE, observation.windowStartMillis(), bytes);
        }
    }

    private void judge(Instant now) {
        if (service.analyzer().due(now).isEmpty()) {
            return;
        }
        long before = service.snapshot();
        store.saveJudged(service, List.of());
        if (service.snapshot() == before) {
            progresses++;
        } else {
            snapshots++;
        }
    }

    private static Instant at(int second) {
        return Instant.ofEpochSecond(1_000 + second);
    }

    private static RunContext run() throws Exception {
        return new RunSpecDecoder().read(Messages.SERVICE,
                Messages.run(RunPhase.RUN_PHASE_BASELINE, 1).build().toByteArray(), List.of());
    }

    private static TrackedService service() {
        return new TrackedService(Messages.SERVICE, new ServiceAnalyzer(Duration.ofSeconds(1), Duration.ofMillis(300),
                run -> new BayesianCapacitySearch(SearchSettings.defaults())));
    }
}

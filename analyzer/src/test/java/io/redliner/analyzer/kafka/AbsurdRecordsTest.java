// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.Overdue;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.Verdict;
import io.redliner.testkit.AbsurdMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Well-formed runs and observations of absurd values, as anybody with access to the topics can write them: each ends itself, and
 * the next run of a controller is judged.
 */
class AbsurdRecordsTest {

    private static final int RECORDS = 4_000;

    private static final long BEGIN = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final PartitionAnalyzer analyzer = PartitionAnalyzer.of(Duration.ofMillis(300), SearchSettings.defaults(),
            new AnalyzerMetrics(new SimpleMeterRegistry()));

    private long now = BEGIN;

    private long sequence;

    private List<Verdict> take(Topic topic, Message message) {
        return analyzer.record(topic, Messages.SERVICE, message.toByteArray(), Instant.ofEpochMilli(now));
    }

    private Message observation(String instance) {
        return Messages.observation(instance, ++sequence, now / 1_000 * 1_000 - 1_000, 50, 20)
                .addErrors(ErrorCount.newBuilder().setErrorClass(ErrorClass.ERROR_CLASS_SERVER).setCount(1))
                .addOverdue(Overdue.newBuilder().setLimitMicros(200_000)).putGauges("cpu", 0.4).build();
    }

    @Test
    void none_keeps_a_later_run_from_being_judged() {
        Random random = new Random(7);
        for (int seed = 0; seed < RECORDS; seed++) {
            now += random.nextInt(200);
            Message sensible = random.nextInt(3) == 0
                    ? Messages.run(RunPhase.RUN_PHASE_RAMPING, 7).build()
                    : observation(random.nextBoolean() ? Messages.SUT : Messages.PEER);
            take(sensible instanceof io.redliner.contract.v1.RunSpec ? Topic.RUNS : Topic.OBSERVATIONS,
                    random.nextInt(10) == 0 ? sensible : AbsurdMessages.of(sensible, seed));
            analyzer.tick(Instant.ofEpochMilli(now));
        }

        analyzer.record(Topic.RUNS, Messages.SERVICE, null, Instant.ofEpochMilli(now));
        assertJudged(8);
    }

    @Test
    void an_end_of_a_run_that_no_controller_wrote_hides_no_later_run() {
        for (long epoch : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE, 1_000_001, 999_999}) {
            take(Topic.RUNS, Messages.run(RunPhase.RUN_PHASE_FINISHED, epoch).setRunId("forged").build());
        }

        assertJudged(1);
    }

    /** A run begins, and its windows are judged. */
    private void assertJudged(long epoch) {
        now = now / 1_000 * 1_000 + 1_050;
        take(Topic.RUNS, Messages.run(RunPhase.RUN_PHASE_BASELINE, epoch).build());
        List<Verdict> verdicts = new ArrayList<>();
        for (int second = 0; second < 10; second++) {
            now += 1_000;
            verdicts.addAll(take(Topic.OBSERVATIONS, observation(Messages.SUT)));
            verdicts.addAll(take(Topic.OBSERVATIONS, observation(Messages.PEER)));
            verdicts.addAll(analyzer.tick(Instant.ofEpochMilli(now + 500)));
        }
        assertThat(verdicts)
                .as("%s verdicts, the last: %s", verdicts.size(),
                        verdicts.isEmpty() ? "" : verdicts.getLast())
                .filteredOn(verdict -> verdict.getJudgement() == Judgement.JUDGEMENT_HOLDS)
                .hasSizeGreaterThan(5)
                .allSatisfy(verdict -> assertThat(verdict.getRunId()).isEqualTo("run-" + epoch));
    }
}

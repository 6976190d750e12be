// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.windowing.Requests;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowSettings;
import io.redliner.contract.v1.ErrorStatuses;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.Rule;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.StatusRange;
import io.redliner.testkit.AbsurdMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Well-formed runs and lease statuses of absurd values, as anybody with access to the topics can write them: each ends itself,
 * windows are closed, and the next run of a controller gets its windows.
 */
class AbsurdRecordsTest {

    private static final int RECORDS = 4_000;

    private static final RunSpec RUN = RunSpec.newBuilder().setService("shop").setRunId("run-7").setEpoch(7)
            .setSut("10.0.0.1:80").setPhase(RunPhase.RUN_PHASE_RAMPING).setWindowLengthMs(100)
            .addSla(Rule.newBuilder().setName("latency").setExpression("latency.p99 <= duration('200ms')"))
            .addOverdueLimitsMicros(200_000).addInstances("10.0.0.1:80").build();

    private static final LeaseStatus STATUS = LeaseStatus.newBuilder().setService("shop").setRedirector("r1")
            .addInstances(Instance.newBuilder().setAddress("10.0.0.1:80").setNaturalSharePpm(500_000))
            .addProxies(ProxyStatus.newBuilder().setNode("node-1").setConnected(true)).setProxiesConnected(1)
            .setErrors(ErrorStatuses.newBuilder().addHttp(StatusRange.newBuilder().setFirst(500).setLast(599)))
            .addStreams("/feed").addNodes("node-1").build();

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RunSpecHandler runs = new RunSpecHandler(windows, new SimpleMeterRegistry());

    private final LeaseStatusHandler statuses = new LeaseStatusHandler(windows, new InstanceRegistry(List.of()),
            new SimpleMeterRegistry());

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");

    private final RequestRecordStream stream = windows.open("shop", "node-1", now);

    @Test
    void none_keeps_a_later_run_from_its_windows() {
        Random random = new Random(7);
        for (int seed = 0; seed < RECORDS; seed++) {
            now = now.plusMillis(random.nextInt(50));
            if (random.nextInt(3) == 0) {
                statuses.apply("shop", AbsurdMessages.of(STATUS, seed).toByteArray(), now);
            } else {
                runs.apply("shop", AbsurdMessages.of(RUN, seed).toByteArray(), now);
            }
            if (seed % 100 == 0) {
                windows.accept(stream, List.of(Requests.started("a" + seed, "10.0.0.1:80", now)), now);
                windows.closeDue(now);
            }
        }
        assertThat(runs.malformed()).isGreaterThan(RECORDS / 10);
        assertThat(runs.applied()).isGreaterThan(RECORDS / 100);

        runs.apply("shop", null, now);
        assertWindowsOfARun(8);
    }

    @Test
    void an_end_of_a_run_that_no_controller_wrote_hides_no_later_run() {
        for (long epoch : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE, 1_000_001, 999_999}) {
            runs.apply("shop", RUN.toBuilder().setRunId("forged").setEpoch(epoch)
                    .setPhase(RunPhase.RUN_PHASE_FINISHED).build().toByteArray(), now);
        }

        assertWindowsOfARun(1);
    }

    @Test
    void a_deleted_record_is_forgotten_with_its_epoch() {
        runs.apply("shop", RUN.toBuilder().setRunId("forged").setEpoch(999_999).build().toByteArray(), now);
        runs.apply("shop", null, now);

        assertWindowsOfARun(1);
    }

    @Test
    void a_run_under_the_key_of_another_service_is_not_obeyed() {
        runs.apply("other", RUN.toByteArray(), now);

        assertThat(runs.malformed()).isEqualTo(1);
        assertThat(lastWindowLength()).isEqualTo(Duration.ofSeconds(1));
    }

    private void assertWindowsOfARun(long epoch) {
        runs.apply("shop", RUN.toBuilder().setRunId("run").setEpoch(epoch).build().toByteArray(), now);

        assertThat(lastWindowLength()).isEqualTo(Duration.ofMillis(100));
    }

    private Duration lastWindowLength() {
        statuses.apply("shop", STATUS.toByteArray(), now);
        windows.accept(stream, List.of(Requests.started("last", "10.0.0.1:80", now)), now);
        now = now.plusSeconds(3);
        return windows.closeDue(now).getLast().length();
    }
}

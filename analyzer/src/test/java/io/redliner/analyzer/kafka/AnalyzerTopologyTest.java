// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static io.redliner.analyzer.kafka.Messages.PEER;
import static io.redliner.analyzer.kafka.Messages.SERVICE;
import static io.redliner.analyzer.kafka.Messages.SUT;
import static io.redliner.analyzer.kafka.Messages.observation;
import static io.redliner.analyzer.kafka.Messages.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Histogram;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnalyzerTopologyTest {

    private static final Duration TICK = Duration.ofMillis(50);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static final TopicNames TOPICS = new TopicNames("shop.");

    private Instant now = Instant.ofEpochSecond(1_000);

    /** When the broker took what is read; null for now. */
    private @Nullable Instant appended;

    private long sequence;

    private TopologyTestDriver driver;

    private TestInputTopic<String, byte[]> observations;

    private TestInputTopic<String, byte[]> runs;

    private TestOutputTopic<String, byte[]> verdicts;

    private TestOutputTopic<String, byte[]> parked;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() {
        driver = driver();
        connect();
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void an_analyzer_that_is_behind_takes_nothing_for_missing_that_it_has_yet_to_read() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_PREPARING, 7));
        second(100, 10);
        var began = now;

        // The process stands still for three seconds, and reads on.
        now = now.plusSeconds(3);
        driver.advanceWallClockTime(Duration.ofSeconds(3));
        for (int second = 1; second <= 3; second++) {
            appended = began.plusSeconds(second);
            long ended = appended.toEpochMilli() - 1_000;
            observe(observation(SUT, ++sequence, ended, 100, 10));
            driver.advanceWallClockTime(TICK);
            now = now.plus(TICK);
            observe(observation(PEER, ++sequence, ended, 100, 10));
        }

        assertThat(said()).hasSize(4).extracting(Verdict::getJudgement).containsOnly(Judgement.JUDGEMENT_HOLDS);
    }

    @Test
    void without_a_run_nothing_is_said() {
        second(100, 10);
        second(100, 10);

        assertThat(verdicts.isEmpty()).isTrue();
    }

    @Test
    void each_window_of_a_run_has_one_verdict_as_soon_as_all_have_reported() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_PREPARING, 7));

        second(100, 10);
        second(100, 10);

        var said = said();
        assertThat(said).extracting(Verdict::getSequence).containsExactly(1L, 2L);
        assertThat(said).extracting(Verdict::getEpoch).containsOnly(7L);
        assertThat(said).extracting(Verdict::getJudgement).containsOnly(Judgement.JUDGEMENT_HOLDS);
        var last = said.getLast();
        assertThat(last.getWindowStartMs()).isEqualTo(now.toEpochMilli() - 1_000);
        assertThat(last.getServiceRequestsPerSecond()).isCloseTo(200, within(1e-6));
        assertThat(last.getSut().getSharePpm()).isEqualTo(500_000);
        assertThat(last.getSut().getLatencyP99()).isCloseTo(0.01, within(0.0001));
        assertThat(last.getPeers().getCompleted()).isEqualTo(100);
        assertThat(last.getSlaList()).singleElement().satisfies(rule -> {
            assertThat(rule.getThreshold()).isEqualTo(0.2);
            assertThat(rule.getValue()).isCloseTo(0.01, within(0.0001));
            assertThat(rule.getRequests()).isEqualTo(100);
            assertThat(rule.getAllowedRatio()).isEqualTo(0.01);
        });
        assertThat(last.getAdvice().getAction()).isEqualTo(AdviceAction.ADVICE_ACTION_HOLD);
        assertThat(last.getAdvice().getTargetRequestsPerSecond()).isCloseTo(100, within(1e-6));
    }

    @Test
    void requests_that_no_lease_speaks_of_are_in_no_share_and_in_all_the_rest() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_PREPARING, 7));
        for (int i = 0; i < 2; i++) {
            pass(Duration.ofSeconds(1));
            long ended = now.toEpochMilli() - 1_000;
            observe(observation(SUT, ++sequence, ended, 100, 10));
            observe(observation(PEER, ++sequence, ended, 300, 10).setOutside(200));
        }

        var last = said().getLast();
        assertThat(last.getServiceRequestsPerSecond()).isCloseTo(200, within(1e-6));
        assertThat(last.getSut().getSharePpm()).isEqualTo(500_000);
        assertThat(last.getPeers().getSharePpm()).isEqualTo(500_000);
        assertThat(last.getSut().getShareRequests()).isEqualTo(200);
        assertThat(last.getPeers().getShareRequests()).isEqualTo(200);
        assertThat(last.getPeers().getRequestsPerSecond()).isEqualTo(300);
        assertThat(last.getPeers().getCompleted()).isEqualTo(300);
        assertThat(last.getGuards(0).getRequests()).isEqualTo(400);
        assertThat(last.getAdvice().getTargetRequestsPerSecond()).isCloseTo(100, within(1e-6));
    }

    @Test
    void without_a_request_that_a_lease_speaks_of_there_is_no_share() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_PREPARING, 7));
        pass(Duration.ofSeconds(1));
        long ended = now.toEpochMilli() - 1_000;
        observe(observation(SUT, ++sequence, ended, 0, 10));
        observe(observation(PEER, ++sequence, ended, 300, 10).setOutside(300));

        var last = said().getLast();
        assertThat(last.getSut().getShareRequests()).isZero();
        assertThat(last.getPeers().getSharePpm()).isZero();
    }

    @Test
    void the_search_begins_with_the_baseline_and_goes_on_from_window_to_window() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_BASELINE, 1));
        for (int i = 0; i < 8; i++) {
            second(100, 10);
        }

        var said = said();

        assertThat(said.getFirst().getAdvice().getPhase()).isEqualTo(SearchPhase.SEARCH_PHASE_BASELINE);
        var last = said.getLast().getAdvice();
        assertThat(last.getPhase()).as("after two blocks of 4 s").isEqualTo(SearchPhase.SEARCH_PHASE_RAMPING);
        assertThat(last.getAction()).isEqualTo(AdviceAction.ADVICE_ACTION_GO);
        assertThat(last.getTargetRequestsPerSecond()).as("5.5 %% more in a second").isCloseTo(105.65, within(0.2));
    }

    @Test
    void a_silent_collector_gives_inconclusive_verdicts_and_then_the_search_gives_up() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_BASELINE, 1));

        for (int i = 0; i < 4; i++) {
            pass(Duration.ofSeconds(1));
        }

        var said = said();
        assertThat(said).hasSizeGreaterThanOrEqualTo(3);
        assertThat(said).extracting(Verdict::getJudgement).containsOnly(Judgement.JUDGEMENT_INCONCLUSIVE);
        assertThat(said.getLast().getAdvice().getAction()).isEqualTo(AdviceAction.ADVICE_ACTION_GIVE_UP);
        assertThat(said.getLast().getAdvice().getReason()).contains("nobody reported " + SUT);
    }

    @Test
    void a_breached_guard_is_reported() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_BASELINE, 1));
        observe(observation(SUT, ++sequence, thisWindow(), 100, 10));
        observe(observation(PEER, ++sequence, thisWindow(), 100, 10).addErrors(
                ErrorCount.newBuilder().setErrorClass(ErrorClass.ERROR_CLASS_SERVER).setCount(50)));
        pass(Duration.ofSeconds(2));

        var first = said().getFirst();

        assertThat(first.getJudgement()).isEqualTo(Judgement.JUDGEMENT_HOLDS);
        assertThat(first.getGuards(0).getJudgement()).isEqualTo(Judgement.JUDGEMENT_BREACHED);
        assertThat(first.getGuards(0).getValue()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void harm_is_seen_while_restoring_and_verdicts_end_with_the_run() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_BASELINE, 1));
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_RESTORING, 1));
        second(100, 300);
        send(run(RunPhase.RUN_PHASE_FINISHED, 1));
        second(100, 10);

        var said = said();

        assertThat(said).hasSize(2);
        assertThat(said.getLast().getHarmRequests()).isEqualTo(100);
        assertThat(said.getLast().getAdvice().getAction()).isEqualTo(AdviceAction.ADVICE_ACTION_HOLD);
        assertThat(said.getLast().getAdvice().getPhase()).isEqualTo(SearchPhase.SEARCH_PHASE_ENDED);
        assertThat(registry.find("redliner.sla.value").gauges()).isEmpty();
    }

    @Test
    void a_controller_that_lost_its_run_is_not_listened_to() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_BASELINE, 5));
        send(run(RunPhase.RUN_PHASE_FINISHED, 4));
        second(100, 10);

        assertThat(said()).singleElement().satisfies(verdict -> assertThat(verdict.getEpoch()).isEqualTo(5));
        assertThat(counted("redliner.analyzer.runs", "stale")).isEqualTo(1);
    }

    @Test
    void a_run_that_is_further_than_the_search_was_not_seen_from_its_beginning() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_RAMPING, 1).setStartedAtMs(now.minusSeconds(60).toEpochMilli()));
        second(100, 10);

        assertThat(said()).singleElement().satisfies(verdict -> {
            assertThat(verdict.getAdvice().getAction()).isEqualTo(AdviceAction.ADVICE_ACTION_GIVE_UP);
            assertThat(verdict.getAdvice().getReason()).contains("lost its place");
            assertThat(verdict.getSequence()).isGreaterThan(60);
        });
    }

    @Test
    void poisoned_records_are_counted_and_parked_and_nothing_else_is_lost() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_BASELINE, 1));
        observations.pipeInput(SERVICE, new byte[]{1, 2, 3}, now);
        observations.pipeInput("another", observation(SUT, 9, thisWindow(), 1, 1).build().toByteArray(), now);
        observations.pipeInput(SERVICE, observation(SUT, 9, thisWindow(), 1, 1)
                .setLatency(Histogram.newBuilder().addAllIncrements(Collections.nCopies(100_000, 1L))).build()
                .toByteArray(), now);
        observations.pipeInput(null, new byte[]{4}, now);
        observations.pipeInput(SERVICE, null, now);
        runs.pipeInput(SERVICE, new byte[]{7});
        runs.pipeInput(SERVICE, run(RunPhase.RUN_PHASE_BASELINE, 2).clearLimits().build().toByteArray());
        second(100, 10);

        assertThat(said()).singleElement()
                .satisfies(verdict -> assertThat(verdict.getJudgement()).isEqualTo(Judgement.JUDGEMENT_HOLDS));
        assertThat(counted("redliner.observations", "malformed")).isEqualTo(5);
        assertThat(counted("redliner.analyzer.runs", "malformed")).isEqualTo(2);
        assertThat(registry.get("redliner.records.parked").tags("reason", "malformed_observation").counter().count())
                .isEqualTo(3);
        var records = parked.readRecordsToList();
        assertThat(records).extracting(record -> header(record, "redliner.reason")).containsExactly(
                "malformed_observation", "malformed_observation", "malformed_observation", "no_key", "no_value",
                "malformed_run", "malformed_run");
        var first = records.getFirst();
        assertThat(first.key()).isEqualTo(SERVICE);
        assertThat(first.value()).containsExactly(1, 2, 3);
        assertThat(header(first, "redliner.topic")).isEqualTo("shop.observations");
        assertThat(header(first, "redliner.offset")).isEqualTo("2");
        assertThat(header(first, "redliner.partition")).isEqualTo("0");
        assertThat(header(first, "redliner.words")).isNotBlank();
        assertThat(records.get(2).value()).as("at most 64 KiB are kept").hasSize(65_536);
        assertThat(header(records.get(2), "redliner.bytes")).startsWith("100");
    }

    @Test
    void rules_are_shown_as_value_beside_threshold() {
        second(100, 10);
        send(run(RunPhase.RUN_PHASE_BASELINE, 1));
        second(100, 10);

        assertThat(registry.get("redliner.sla.value").tags("service", SERVICE, "rule", "latency").gauge().value())
                .isCloseTo(0.01, within(0.0001));
        assertThat(registry.get("redliner.sla.threshold").tags("service", SERVICE, "rule", "latency").gauge().value())
                .isEqualTo(0.2);
    }

    /** SUT and peer report the window that ends now. */
    private void second(long requests, long sutMillis) {
        pass(Duration.ofSeconds(1));
        long ended = now.toEpochMilli() - 1_000;
        observe(observation(SUT, ++sequence, ended, requests, sutMillis));
        observe(observation(PEER, ++sequence, ended, requests, 10));
    }

    private long thisWindow() {
        return now.toEpochMilli();
    }

    private void pass(Duration time) {
        // Each tick that is missed comes once only.
        for (Duration left = time; left.isPositive(); left = left.minus(TICK)) {
            now = now.plus(left.compareTo(TICK) < 0 ? left : TICK);
            driver.advanceWallClockTime(left.compareTo(TICK) < 0 ? left : TICK);
        }
    }

    private void observe(io.redliner.contract.v1.Observation.Builder observation) {
        observations.pipeInput(SERVICE, observation.build().toByteArray(), appended == null ? now : appended);
    }

    private void send(RunSpec.Builder run) {
        runs.pipeInput(SERVICE, run.build().toByteArray());
    }

    private List<Verdict> said() {
        var said = new ArrayList<Verdict>();
        for (byte[] value : verdicts.readValuesToList()) {
            try {
                said.add(Verdict.parseFrom(value));
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }
        return said;
    }

    private static String header(TestRecord<String, byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private double counted(String name, String result) {
        return registry.get(name).tags("result", result).counter().count();
    }

    private TopologyTestDriver driver() {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        var properties = Messages.properties();
        return new TopologyTestDriver(
                AnalyzerTopology.of(properties, TOPICS, SearchSettings.defaults().withoutWatching(), () -> now,
                        new AnalyzerMetrics(registry)),
                settings, now);
    }

    private void connect() {
        observations = driver.createInputTopic(TOPICS.name(Topic.OBSERVATIONS), new StringSerializer(),
                new ByteArraySerializer());
        runs = driver.createInputTopic(TOPICS.name(Topic.RUNS), new StringSerializer(), new ByteArraySerializer());
        parked = driver.createOutputTopic(TOPICS.name(Topic.PARKED), new StringDeserializer(),
                new ByteArrayDeserializer());
        verdicts = driver.createOutputTopic(TOPICS.name(Topic.VERDICTS), new StringDeserializer(),
                new ByteArrayDeserializer());
    }
}

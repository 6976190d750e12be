// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.collector.KafkaProperties;
import io.redliner.collector.window.OverdueCount;
import io.redliner.collector.window.ProxyStream;
import io.redliner.collector.window.Requests;
import io.redliner.collector.window.SealedWindow;
import io.redliner.collector.window.WindowSettings;
import io.redliner.collector.window.Windows;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.fixture.Broker;
import io.redliner.fixture.Fixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunSpecsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Windows windows = new Windows(WindowSettings.DEFAULT);

    private final RunSpecs runs = new RunSpecs(windows);

    @BeforeEach
    void seeAnInstance() {
        ProxyStream stream = windows.open("shop", "node-1", NOON);
        windows.accept(stream, Requests.started("a", "10.0.0.1:80", NOON), NOON);
    }

    @Test
    void a_run_names_the_window_and_the_limits() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);

        SealedWindow last = lastWindow();
        assertThat(last.length()).isEqualTo(Duration.ofMillis(100));
        assertThat(last.overdue()).extracting(OverdueCount::limit).containsExactly(Duration.ofMillis(200));
        assertThat(runs.applied()).isEqualTo(1);
    }

    @Test
    void a_finished_run_leaves_the_ordinary_window() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_FINISHED, 100).toByteArray(), NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofSeconds(1));
        assertThat(runs.applied()).isEqualTo(2);
    }

    @Test
    void a_deleted_record_leaves_the_ordinary_window() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);
        runs.apply("shop", null, NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_controller_that_lost_its_run_is_not_obeyed() {
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, 100).toByteArray(), NOON);
        runs.apply("shop", run(2, RunPhase.RUN_PHASE_FINISHED, 100).toByteArray(), NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofMillis(100));
        assertThat(runs.stale()).isEqualTo(1);
    }

    @Test
    void a_record_that_makes_no_sense_is_counted_and_changes_nothing() {
        runs.apply("shop", new byte[]{1, 2, 3}, NOON);
        runs.apply("shop", run(3, RunPhase.RUN_PHASE_RAMPING, -1).toByteArray(), NOON);

        assertThat(lastWindow().length()).isEqualTo(Duration.ofSeconds(1));
        assertThat(runs.malformed()).isEqualTo(2);
    }

    @Test
    void the_topic_is_followed_from_its_beginning_past_what_is_poisoned() {
        try (Broker kafka = Fixture.sharedBroker();
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()), new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            TopicNames topics = new TopicNames(kafka.topicPrefix());
            send(producer, topics, run(1, RunPhase.RUN_PHASE_FINISHED, 1_000).toByteArray());
            send(producer, topics, new byte[]{1, 2, 3});
            try (RunsFollower follower = new RunsFollower(
                    new KafkaProperties(kafka.bootstrapServers(), kafka.topicPrefix(), Map.of()), runs,
                    InstantSource.fixed(NOON))) {
                await().until(() -> runs.applied() == 1 && runs.malformed() == 1);
                send(producer, topics, run(2, RunPhase.RUN_PHASE_BASELINE, 100).toByteArray());

                await().until(() -> runs.applied() == 2);
                assertThat(follower.isAlive()).isTrue();
                assertThat(follower.isFollowing()).isTrue();
            }
            assertThat(lastWindow().length()).isEqualTo(Duration.ofMillis(100));
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, TopicNames topics, byte[] value) {
        assertThat(producer.send(
                new ProducerRecord<>(topics.name(Topic.RUNS), "shop".getBytes(StandardCharsets.UTF_8),
                        value)))
                .succeedsWithin(Duration.ofSeconds(60));
    }

    private static RunSpec run(long epoch, RunPhase phase, long windowMillis) {
        return RunSpec.newBuilder().setService("shop").setRunId("run-" + epoch).setEpoch(epoch).setPhase(phase)
                .setWindowLengthMs(windowMillis).addOverdueLimitsMicros(200_000).build();
    }

    private SealedWindow lastWindow() {
        return windows.seal(NOON.plusSeconds(5)).getLast();
    }
}

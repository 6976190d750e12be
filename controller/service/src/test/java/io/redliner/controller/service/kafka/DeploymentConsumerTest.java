// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.consumer.SkippedRecordException;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

/** Reading deployments from real Kafka, in a group of its own. */
class DeploymentConsumerTest {

    private final Scene scene = Scene.sharedReal();

    private final String service = scene.newService();

    private final FakeDataPlane plane = scene.plane(service);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private final List<String> taken = new CopyOnWriteArrayList<>();

    private DeploymentConsumer consumer = consumer((text, reportedAt, position) -> {});

    private DeploymentConsumer consumer(DeploymentListener listener) {
        consumer = new DeploymentConsumer(
                new KafkaProperties(scene.broker().bootstrapServers(), scene.broker().topicPrefix(), Map.of()),
                InstantSource.system(), meters,
                (text, reportedAt, position) -> ours(listener, text, reportedAt, position),
                UUID.randomUUID().toString());
        return consumer;
    }

    /** Ignores the deployments that other tests reported. */
    private void ours(DeploymentListener listener, String text, Instant reportedAt, String position)
            throws SkippedRecordException {
        if (text.startsWith(service)) {
            listener.deployment(text, reportedAt, position);
            taken.add(text.substring(service.length()));
        }
    }

    private void send(String text) {
        plane.send(Topic.DEPLOYMENTS, (service + text).getBytes(StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() {
        consumer.stop();
    }

    @Test
    void what_fails_comes_again_and_what_is_refused_does_not() {
        List<String> tried = new CopyOnWriteArrayList<>();
        consumer((text, reportedAt, position) -> {
            tried.add(text);
            if (text.endsWith("refused")) {
                throw new SkippedRecordException("conflict", "is another one");
            }
            if (text.endsWith("late") && tried.size() < 4) {
                throw new IllegalStateException("the database is away");
            }
        }).start();

        List.of("refused", "late", "last").forEach(this::send);

        await().until(() -> taken.contains("last"));
        assertThat(taken).containsExactly("late", "last");
        assertThat(tried.stream().filter(text -> text.endsWith("late")).count()).isGreaterThan(1);
        assertThat(counted("conflict")).isPositive();
        assertThat(consumer.reading()).isTrue();
        assertThat(new KafkaConfiguration.DeploymentConsumerHealthIndicator(consumer).health().getStatus())
                .isEqualTo(Status.UP);
    }

    @Test
    void a_reader_that_died_says_of_what_and_is_not_healthy() {
        consumer((text, reportedAt, position) -> {
            throw new AssertionError("out of everything");
        }).start();

        send("deadly");

        await().until(() -> consumer.failure() != null);
        await().until(() -> !consumer.isRunning());
        assertThat(consumer.reading()).isFalse();
        assertThat(new KafkaConfiguration.DeploymentConsumerHealthIndicator(consumer).health().getStatus())
                .isEqualTo(Status.DOWN);
        assertThat(new KafkaConfiguration.DeploymentConsumerHealthIndicator(consumer).health().getDetails().toString())
                .contains("out of everything");
    }

    private double counted(String result) {
        return meters
                .counter("redliner.controller.records", "topic", scene.topics().name(Topic.DEPLOYMENTS), "result",
                        result)
                .count();
    }
}

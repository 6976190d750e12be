// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.analyzer.kafka.Messages;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.Verdict;
import io.redliner.embedded.FreePort;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The analyzer against a real broker. */
class AnalyzerApplicationTest {

    private static final String SERVICE = "profile-be";

    private static final long WINDOW_MS = 1_000;

    @TempDir
    private static Path folder;

    private static TestBroker kafka;

    private static TopicNames topics;

    private static KafkaProducer<String, byte[]> producer;

    private static KafkaConsumer<String, byte[]> consumer;

    private final Clock clock = Clock.systemUTC();

    private final List<Verdict> said = new ArrayList<>();

    private long sequence;

    private long lastObserved;

    @BeforeAll
    static void start() {
        kafka = TestKit.sharedBroker();
        topics = new TopicNames(kafka.topicPrefix());
        producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()), new StringSerializer(),
                new ByteArraySerializer());
        consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers(),
                        ConsumerConfig.GROUP_ID_CONFIG,
                        "test", ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                new StringDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of(topics.name(Topic.VERDICTS)));
    }

    @AfterAll
    static void close() {
        consumer.close();
        producer.close();
        kafka.close();
    }

    @Test
    void observations_become_verdicts_and_the_run_goes_on_after_a_restart() {
        int port = FreePort.next();
        try (var application = application(port)) {
            awaitUp(port);
            assertThat(application.isRunning()).isTrue();
            awaitVerdicts();
            assertThat(said).extracting(Verdict::getSequence).isSorted().doesNotHaveDuplicates();
            assertThat(said).allSatisfy(verdict -> assertThat(verdict.getAdvice().getAction())
                    .isEqualTo(AdviceAction.ADVICE_ACTION_HOLD));
            assertThat(lastEmittedAfterMs()).isGreaterThanOrEqualTo(WINDOW_MS);
        }
        var before = said.getLast();
        said.clear();

        try (var application = application(port)) {
            awaitUp(port);
            assertThat(application.isRunning()).isTrue();
            await().pollInterval(Duration.ofMillis(50))
                    .until(() -> verdicts().stream().anyMatch(
                            verdict -> verdict.getSequence() > before.getSequence() + 2));

            assertThat(said).filteredOn(verdict -> verdict.getSequence() > before.getSequence())
                    .extracting(Verdict::getSequence).startsWith(before.getSequence() + 1)
                    .isSorted().doesNotHaveDuplicates();
            assertThat(said).allSatisfy(verdict -> assertThat(verdict.getAdvice().getAction())
                    .isNotEqualTo(AdviceAction.ADVICE_ACTION_GIVE_UP));
        }
    }

    @Test
    @Tag("soak")
    void a_window_is_judged_within_one_and_a_half_seconds_of_its_end() {
        int port = FreePort.next();
        try (var application = application(port)) {
            awaitUp(port);
            assertThat(application.isRunning()).isTrue();
            awaitVerdicts();
            assertThat(lastEmittedAfterMs()).isBetween(WINDOW_MS, WINDOW_MS + 1_500);
        }
    }

    /** A run is live, and three of its windows hold. */
    private void awaitVerdicts() {
        publish(RunPhase.RUN_PHASE_PREPARING);
        publish(RunPhase.RUN_PHASE_BASELINE);
        await().pollInterval(Duration.ofMillis(50)).until(() -> verdicts().stream()
                .filter(verdict -> verdict.getJudgement() == Judgement.JUDGEMENT_HOLDS).count() >= 3);
    }

    /** Of the last verdict, from the start of its window. */
    private long lastEmittedAfterMs() {
        return said.getLast().getEmittedAtMs() - said.getLast().getWindowStartMs();
    }

    private static ConfigurableApplicationContext application(int port) {
        return AnalyzerApplication.builder().run("--server.port=" + port,
                "--redliner.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--redliner.kafka.topic-prefix=" + kafka.topicPrefix(),
                "--redliner.analyzer.stream.state-directory=" + folder);
    }

    private static void awaitUp(int port) {
        var health = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness"))
                .build();
        try (var client = HttpClient.newHttpClient()) {
            await().until(
                    () -> client.send(health, HttpResponse.BodyHandlers.discarding()).statusCode() == 200);
        }
    }

    private static void publish(RunPhase phase) {
        long now = Clock.systemUTC().millis();
        send(Topic.RUNS, Messages.run(phase, 1).setService(SERVICE).setRunId("run").setSut("a:1").clearGuards()
                .setWindowLengthMs(WINDOW_MS).setStartedAtMs(now).build().toByteArray());
    }

    private static void send(Topic topic, byte[] value) {
        assertThat(producer.send(new ProducerRecord<>(topics.name(topic), SERVICE, value)))
                .succeedsWithin(Duration.ofSeconds(60));
    }

    /** What was said so far; on the way there the collector reports each second that has passed. */
    private List<Verdict> verdicts() throws Exception {
        long ended = clock.millis() / WINDOW_MS * WINDOW_MS - WINDOW_MS;
        for (long start = lastObserved == 0 ? ended : lastObserved + WINDOW_MS; start <= ended; start += WINDOW_MS) {
            lastObserved = start;
            observe("a:1", start);
            observe("b:1", start);
        }
        for (var record : consumer.poll(Duration.ofMillis(10))) {
            said.add(Verdict.parseFrom(record.value()));
        }
        return said;
    }

    private void observe(String instance, long windowStartMillis) {
        sequence++;
        send(Topic.OBSERVATIONS, Messages.observation(instance, sequence, windowStartMillis, 100, 10)
                .setService(SERVICE).setWindowLengthMs(WINDOW_MS).build().toByteArray());
    }
}

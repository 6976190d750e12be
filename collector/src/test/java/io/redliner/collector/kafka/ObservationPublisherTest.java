// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.kafka.ObservationMetrics.Loss;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Observation;
import io.redliner.embedded.FreePort;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObservationPublisherTest {

    /** Gives up soon: for tests in which Kafka is away. */
    private static final ObservationProperties SMALL = new ObservationProperties(50, 10, Duration.ofMillis(5),
            Duration.ofSeconds(2));

    /** Gives a busy broker time to answer. */
    private static final ObservationProperties PATIENT = new ObservationProperties(50, 10, Duration.ofMillis(5),
            Duration.ofMinutes(1));

    private final ObservationMetrics metrics = new ObservationMetrics(new SimpleMeterRegistry());

    @TempDir
    private Path folder;

    private static KafkaProperties at(String bootstrapServers) {
        return new KafkaProperties(bootstrapServers, TopicNames.DEFAULT_PREFIX, Map.of());
    }

    @Test
    void observations_are_published_under_their_service_in_order() throws Exception {
        try (TestBroker kafka = TestKit.sharedBroker();
                ObservationPublisher publisher = new ObservationPublisher(PATIENT, new KafkaProperties(
                        kafka.bootstrapServers(), kafka.topicPrefix(), Map.of()), metrics, Clock.systemUTC());
                ObservationReader reader = new ObservationReader(kafka)) {
            publish(publisher, 1, 40);

            await().until(() -> metrics.published() == 40);
            await().until(() -> reader.read().size() == 40);

            assertThat(reader.read()).extracting(Observation::getSequence).isSorted().doesNotHaveDuplicates();
            assertConserved(publisher);
        }
    }

    @Test
    @Tag("fault")
    void every_observation_is_accounted_for_when_the_broker_breaks_and_the_newest_survive() throws Exception {
        int port = FreePort.next();
        TestBroker kafka = TestKit.broker(folder, port);
        String servers = kafka.bootstrapServers();
        try (ObservationPublisher publisher = new ObservationPublisher(SMALL, at(servers), metrics,
                Clock.systemUTC())) {
            publish(publisher, 1, 20);
            await().until(() -> metrics.published() == 20);

            kafka.close();
            publish(publisher, 21, 120);
            await().until(() -> metrics.dropped(Loss.UNDELIVERABLE) > 0);
            assertConserved(publisher);
            assertThat(publisher.lastFailure()).isPresent();
            assertThat(publisher.isAlive()).isTrue();
            assertThat(metrics.dropped(Loss.BUFFER_FULL)).isGreaterThanOrEqualTo(40);

            kafka = TestKit.broker(folder, port);
            publish(publisher, 121, 130);
            await().until(() -> publisher.buffered() == 0);
            assertConserved(publisher);
            assertThat(publisher.lastFailure()).isEmpty();
            try (ObservationReader reader = new ObservationReader(kafka)) {
                await().until(() -> reader.read().size() >= metrics.published());
                List<Long> sequences = reader.read().stream().map(Observation::getSequence).toList();
                assertThat(sequences).isSorted().doesNotHaveDuplicates().endsWith(129L, 130L);
            }
        } finally {
            kafka.close();
        }
    }

    @Test
    void what_cannot_be_sent_before_the_end_is_counted_and_the_end_does_not_wait_for_kafka() {
        ObservationPublisher publisher = new ObservationPublisher(SMALL, at("127.0.0.1:" + FreePort.next()), metrics,
                Clock.systemUTC());
        publish(publisher, 1, 30);

        await().atMost(Duration.ofSeconds(20)).until(() -> {
            publisher.close();
            return true;
        });

        assertThat(publisher.isAlive()).isFalse();
        assertConserved(publisher);
        assertThat(metrics.dropped()).isEqualTo(30);
    }

    private static void publish(ObservationPublisher publisher, int from, int to) {
        for (int sequence = from; sequence <= to; sequence++) {
            publisher.publish(Observation.newBuilder().setService("shop").setSequence(sequence).build());
        }
    }

    private void assertConserved(ObservationPublisher publisher) {
        // Nothing is between two counters for long.
        await().until(() -> metrics.made() == metrics.published() + metrics.dropped() + publisher.buffered());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.run;

import io.redliner.collector.KafkaProperties;
import io.redliner.collector.worker.Worker;
import io.redliner.contract.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the runs topic from its beginning, all partitions, and keeps reading; begins again when Kafka fails. */
final class RunsFollower implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RunsFollower.class);

    private static final Duration POLL = Duration.ofSeconds(1);

    /** What is new comes at once all the same; without news the broker is asked less often. */
    private static final int LONGEST_FETCH_MILLIS = 2_000;

    private static final Duration REST = Duration.ofSeconds(1);

    private final KafkaProperties kafka;

    private final RunSpecs runs;

    private final InstantSource clock;

    private final Worker worker;

    private @Nullable Consumer<byte[], byte[]> consumer;

    private volatile boolean following;

    private volatile @Nullable Exception lastFailure;

    RunsFollower(KafkaProperties kafka, RunSpecs runs, InstantSource clock) {
        this.kafka = kafka;
        this.runs = runs;
        this.clock = clock;
        worker = Worker.start("redliner-collector-runs", this::follow);
    }

    boolean isAlive() {
        return worker.isAlive();
    }

    /** Whether the topic is being read. */
    boolean isFollowing() {
        return following;
    }

    Optional<Exception> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    private void follow(Worker.Pause pause) throws InterruptedException {
        try {
            if (consumer == null) {
                consumer = connect();
            }
            if (!following && !assign(consumer)) {
                pause.take(REST);
                return;
            }
            for (ConsumerRecord<byte[], byte @Nullable []> record : consumer.poll(POLL)) {
                String service = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
                runs.apply(service, record.value(), clock.instant());
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            log.warn("The runs cannot be read, beginning again: {}", e.toString());
            lastFailure = e;
            disconnect();
            pause.take(REST);
        }
    }

    private Consumer<byte[], byte[]> connect() {
        return new KafkaConsumer<>(kafka.client(Map.of(
                ConsumerConfig.CLIENT_ID_CONFIG, kafka.topics().id("redliner-collector-runs"),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest", ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false, ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                5_000, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, LONGEST_FETCH_MILLIS,
                ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500)), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private boolean assign(Consumer<byte[], byte[]> reader) {
        List<TopicPartition> partitions = reader.partitionsFor(kafka.topics().name(Topic.RUNS)).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition())).toList();
        if (partitions.isEmpty()) {
            return false;
        }
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
        following = true;
        lastFailure = null;
        return true;
    }

    private void disconnect() {
        following = false;
        if (consumer != null) {
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ZERO));
            consumer = null;
        }
    }

    @Override
    public void close() {
        worker.close();
        if (!worker.isAlive()) {
            disconnect();
        }
    }
}

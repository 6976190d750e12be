// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.collector.concurrent.WorkerThread;
import io.redliner.contract.KafkaAnswers;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.retry.Backoff;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes all partitions of the runs topic from its beginning, and of the lease status topic from its end. Connects again when
 * Kafka fails.
 */
final class ControlPlaneConsumer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ControlPlaneConsumer.class);

    private static final Duration POLL = Duration.ofSeconds(1);

    /** The longest time that the broker holds a fetch without new records; a new record is returned at once. */
    private static final int FETCH_MAX_WAIT_MILLIS = 2_000;

    private static final Duration REST = Duration.ofSeconds(1);

    /** The longest pause between attempts to reach Kafka. */
    private static final Duration MAX_REST = Duration.ofSeconds(5);

    private final KafkaProperties kafka;

    private final RunSpecHandler runSpecHandler;

    private final LeaseStatusHandler leaseStatusHandler;

    private final InstantSource clock;

    private final Backoff backoff;

    private final WorkerThread worker;

    private @Nullable Consumer<byte[], byte[]> consumer;

    private final KafkaAnswers answers;

    private @Nullable Metric fetched;

    private volatile boolean following;

    private volatile @Nullable Exception lastFailure;

    ControlPlaneConsumer(KafkaProperties kafka, RunSpecHandler runSpecHandler, LeaseStatusHandler leaseStatusHandler,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.kafka = kafka;
        this.runSpecHandler = runSpecHandler;
        this.leaseStatusHandler = leaseStatusHandler;
        this.clock = clock;
        answers = new KafkaAnswers(nanoTime);
        backoff = new Backoff(REST, MAX_REST, clock);
        worker = WorkerThread.start("redliner-collector-control", this::follow);
    }

    boolean isAlive() {
        return worker.isAlive();
    }

    /** Returns why the topics are not read; empty when they are. */
    Optional<String> trouble() {
        if (following) {
            return answers.silence().map(silence -> "Kafka has not answered for " + silence.toSeconds() + " s");
        }
        Exception failure = lastFailure;
        return Optional.of(failure == null ? "the topics of runs and leases were not there yet" : failure.toString());
    }

    private void follow(WorkerThread.Pause pause) throws InterruptedException {
        try {
            if (consumer == null) {
                consumer = connect();
            }
            if ((!following || hasOtherPartitions(consumer)) && !assign(consumer)) {
                following = false;
                pause.take(REST);
                return;
            }
            for (ConsumerRecord<byte[], byte @Nullable []> record : consumer.poll(POLL)) {
                String service = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
                if (record.topic().equals(kafka.topics().name(Topic.RUNS))) {
                    runSpecHandler.apply(service, record.value(), clock.instant());
                } else {
                    leaseStatusHandler.apply(service, record.value(), clock.instant());
                }
            }
            if (fetched != null) {
                answers.fetched((double) fetched.metricValue());
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            log.warn("Runs and lease statuses cannot be read, beginning again: {}", e.toString());
            lastFailure = e;
            disconnect();
            pause.take(backoff.failed());
        }
    }

    private Consumer<byte[], byte[]> connect() {
        return new KafkaConsumer<>(kafka.client(Map.of(
                ConsumerConfig.CLIENT_ID_CONFIG, kafka.topics().id("redliner-collector-control"),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest", ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false, ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                5_000, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MILLIS,
                ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500)), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private boolean assign(Consumer<byte[], byte[]> reader) {
        List<TopicPartition> runPartitions = partitions(reader, Topic.RUNS);
        List<TopicPartition> statusPartitions = partitions(reader, Topic.LEASE_STATUS);
        if (runPartitions.isEmpty() || statusPartitions.isEmpty()) {
            return false;
        }
        reader.assign(Stream.concat(runPartitions.stream(), statusPartitions.stream()).toList());
        reader.seekToBeginning(runPartitions);
        // Each redirector repeats the status of each service every second.
        reader.seekToEnd(statusPartitions);
        // A consumer's poll is empty and nothing else when the broker is away.
        fetched = reader.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals(KafkaAnswers.METRIC)
                        && metric.metricName().tags().keySet().equals(Set.of("client-id")))
                .findFirst().orElseThrow();
        answers.answered();
        backoff.succeeded();
        following = true;
        lastFailure = null;
        return true;
    }

    /** Returns whether there are more partitions than assigned ones, or fewer because a topic was deleted. */
    private boolean hasOtherPartitions(Consumer<byte[], byte[]> reader) {
        return partitions(reader, Topic.RUNS).size() + partitions(reader, Topic.LEASE_STATUS).size() != reader
                .assignment().size();
    }

    private List<TopicPartition> partitions(Consumer<byte[], byte[]> reader, Topic topic) {
        return reader.partitionsFor(kafka.topics().name(topic)).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition())).toList();
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

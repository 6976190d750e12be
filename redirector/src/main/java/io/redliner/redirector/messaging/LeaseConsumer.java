// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.messaging;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.Topic;
import io.redliner.redirector.share.LeaseIntake;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all leases, from the beginning of the compacted topic on: each redirector must know every service's highest
 * epoch, so there is no consumer group and nothing is committed.
 */
final class LeaseConsumer implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(LeaseConsumer.class);

    private static final Duration POLL = Duration.ofMillis(200);

    /** Well below a lease's time to live: who is up to date as of so long ago misses no renewal. */
    private static final Duration RECENT = Duration.ofSeconds(1);

    private static final int TIMEOUT_MILLIS = 5_000;

    private static final int RETRY_MILLIS = 500;

    private final String topic;

    private final Map<String, Object> settings;

    private final LeaseIntake intake;

    private final InstantSource clock;

    private final Counter unreadable;

    private final Thread thread;

    private final CountDownLatch closing = new CountDownLatch(1);

    private volatile String trouble = "no lease topic yet";

    LeaseConsumer(KafkaProperties kafka, LeaseIntake intake, MeterRegistry registry, InstantSource clock) {
        this.topic = kafka.topics().name(Topic.LEASES);
        this.settings = kafka.client(Map.of(
                ConsumerConfig.CLIENT_ID_CONFIG, kafka.topics().id("redliner-redirector-leases"),
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS));
        this.intake = intake;
        this.clock = clock;
        this.unreadable = Counter.builder("redliner.leases")
                .description("Leases received, by what became of them")
                .tag("result", "rejected")
                .tag("reason", "unreadable")
                .register(registry);
        this.thread = Thread.ofPlatform().daemon().name("lease-consumer").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Why no leases come in, or empty when they do. */
    String trouble() {
        return thread.isAlive() ? trouble : "the consumer's thread is dead";
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                consumeUntilTrouble();
                if (closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void consumeUntilTrouble() {
        try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consume(consumer);
        } catch (WakeupException | InterruptException closed) {
            trouble = "closing";
        } catch (KafkaException away) {
            trouble = away.toString();
            LOGGER.warn("leases cannot be read, trying again: {}", trouble);
        }
    }

    private void consume(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            trouble = "there is no topic " + topic;
            return;
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Instant asked = clock.instant();
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        boolean behind = true;
        trouble = "";
        while (closing.getCount() > 0) {
            consumer.poll(POLL).forEach(this::take);
            if (behind && ends.entrySet().stream()
                    .allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
                Instant reached = clock.instant();
                if (Duration.between(asked, reached).compareTo(RECENT) <= 0) {
                    behind = false;
                    intake.caughtUp();
                } else {
                    // On a busy machine that took so long that the renewals of what was read are yet to be read.
                    asked = reached;
                    ends = consumer.endOffsets(partitions);
                }
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null) {
            return;
        }
        try {
            intake.received(LeaseReader.read(message.value()), clock.instant());
        } catch (InvalidProtocolBufferException poisoned) {
            unreadable.increment();
            LOGGER.warn("lease {}-{}@{} cannot be read and is skipped", message.topic(), message.partition(),
                    message.offset(), poisoned);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            if (!thread.join(Duration.ofSeconds(1))) {
                LOGGER.warn("the lease consumer is still closing");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaAnswers;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.retry.Backoff;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.lease.SteadyClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all leases from the beginning of the compacted topic. Each redirector must know every service's highest epoch, so there is
 * no consumer group and nothing is committed. After an error it resumes at its last position.
 */
final class LeaseConsumer implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(LeaseConsumer.class);

    private static final Duration POLL = Duration.ofMillis(200);

    /** Well below a lease's time to live: a redirector that has read all records up to this long ago misses no renewal. */
    private static final Duration RECENT = Duration.ofSeconds(1);

    private static final int TIMEOUT_MILLIS = 5_000;

    /** The pause when Kafka answers but the topic is missing or its partitions changed. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    /** The longest pause while Kafka does not answer. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    private final String topic;

    private final Map<String, Object> settings;

    private final LeaseListener listener;

    private final SteadyClock clock;

    private final Backoff backoff;

    private final Counter unreadable;

    private final Thread thread;

    private final CountDownLatch closing = new CountDownLatch(1);

    /** Next offset of each partition, at which reading resumes after an error. */
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    private volatile String trouble = "no lease topic yet";

    private final KafkaAnswers answers;

    private boolean caughtUp;

    LeaseConsumer(KafkaProperties kafka, LeaseListener listener, MeterRegistry registry, SteadyClock clock) {
        this.topic = kafka.topics().name(Topic.LEASES);
        this.settings = kafka.client(Map.of(
                ConsumerConfig.CLIENT_ID_CONFIG, kafka.topics().id("redliner-redirector-leases"),
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS));
        this.listener = listener;
        this.clock = clock;
        this.backoff = new Backoff(LOOK_AGAIN, MAX_PAUSE, clock);
        this.answers = new KafkaAnswers(() -> Duration.between(Instant.EPOCH, clock.instant()).toNanos());
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

    /** The reason why no leases are read, or empty when they are. */
    String trouble() {
        if (!thread.isAlive()) {
            return "the consumer's thread is dead";
        }
        String known = trouble;
        return known.isEmpty()
                ? answers.silence().map(silence -> "Kafka has not answered for " + silence.toSeconds() + " s")
                        .orElse("")
                : known;
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                if (closing.await(consumeUntilTrouble().toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads until an error or a change of the partitions, and returns the pause before the next attempt. */
    private Duration consumeUntilTrouble() {
        try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consume(consumer);
        } catch (WakeupException | InterruptException closed) {
            trouble = "closing";
        } catch (RuntimeException away) {
            trouble = away.toString();
            LOGGER.warn("leases cannot be read, trying again: {}", trouble);
            return backoff.failed();
        }
        return LOOK_AGAIN;
    }

    private void consume(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            trouble = "there is no topic " + topic;
            // A topic that is created again is read from its beginning.
            positions.clear();
            return;
        }
        consumer.assign(partitions);
        partitions.forEach(partition -> consumer.seek(partition, positions.getOrDefault(partition, 0L)));
        Metric fetched = fetched(consumer);
        Instant asked = clock.instant();
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        trouble = "";
        answers.answered();
        backoff.succeeded();
        // Ends when partitions were added, or the topic was deleted: the next attempt assigns all partitions anew.
        while (closing.getCount() > 0 && consumer.partitionsFor(topic).size() == partitions.size()) {
            consumer.poll(POLL).forEach(this::take);
            answers.fetched((double) fetched.metricValue());
            partitions.forEach(partition -> positions.put(partition, consumer.position(partition)));
            if (!caughtUp && ends.entrySet().stream()
                    .allMatch(end -> positions.getOrDefault(end.getKey(), 0L) >= end.getValue())) {
                Instant reached = clock.instant();
                if (Duration.between(asked, reached).compareTo(RECENT) <= 0) {
                    caughtUp = true;
                    listener.caughtUp();
                } else {
                    // Reading took so long, on a busy machine, that newer renewals are still unread.
                    asked = reached;
                    ends = consumer.endOffsets(partitions);
                }
            }
        }
    }

    /** The metric that counts the broker's answers: a poll is just empty when the broker does not answer. */
    private static Metric fetched(Consumer<byte[], byte[]> consumer) {
        return consumer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals(KafkaAnswers.METRIC)
                        && metric.metricName().tags().keySet().equals(Set.of("client-id")))
                .findFirst().orElseThrow();
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        try {
            LeaseDecoder.deliver(message.key(), message.value(), listener, clock.lead(), clock.instant(), !caughtUp);
        } catch (InvalidProtocolBufferException | RuntimeException poisoned) {
            // A record can be anything: it is skipped, and the others are read.
            unreadable.increment();
            // Logged at 1, 2, 4, 8, ... records, so that many of them do not fill a disk.
            if (Long.bitCount((long) unreadable.count()) == 1) {
                LOGGER.warn("lease {}-{}@{} cannot be read and is skipped, {} so far: {}", message.topic(),
                        message.partition(), message.offset(), (long) unreadable.count(), poisoned.toString());
            }
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

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.messaging;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads verdicts and lease status, each controller all of them. Verdicts from now on, as old ones judge nothing that
 * still happens; status from a little before, so that services are known at once. A record that cannot be read is
 * counted and skipped; when Kafka is away, the inbox tries again until it is closed.
 */
public final class Inbox implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

    private static final Duration BACK = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaProperties kafka;

    private final InstantSource clock;

    private final MeterRegistry meters;

    private final InboxListener listener;

    private final Thread worker;

    private final CountDownLatch closedSignal = new CountDownLatch(1);

    private volatile boolean closed;

    private volatile boolean assigned;

    private volatile @Nullable String broken;

    private volatile @Nullable Consumer<byte[], byte[]> current;

    Inbox(KafkaProperties kafka, InstantSource clock, MeterRegistry meters, InboxListener listener) {
        this.kafka = kafka;
        this.clock = clock;
        this.meters = meters;
        this.listener = listener;
        this.worker = Thread.ofPlatform().name("controller-inbox").daemon().unstarted(this::work);
    }

    /** Starts reading, once. */
    public void start() {
        worker.start();
    }

    /** Whether the reader lives. */
    public boolean alive() {
        return worker.isAlive();
    }

    /** Whether it has found its place in both topics. */
    public boolean reading() {
        return assigned;
    }

    @Override
    public void close() {
        closed = true;
        closedSignal.countDown();
        Consumer<byte[], byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            worker.join(Duration.ofSeconds(2));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What killed the reader, if something did. */
    public @Nullable String broken() {
        return broken;
    }

    private void work() {
        try {
            readUntilClosed();
        } catch (Throwable fatal) {
            broken = fatal.toString();
            assigned = false;
            LOG.error("the inbox is dead: runs lose their telemetry and end", fatal);
        }
    }

    private void readUntilClosed() {
        while (!closed) {
            try (Consumer<byte[], byte[]> consumer = consumer()) {
                current = consumer;
                assign(consumer);
                while (!closed) {
                    consumer.poll(POLL).forEach(this::take);
                }
            } catch (WakeupException | InterruptException stopping) {
                LOG.debug("the inbox was woken up", stopping);
            } catch (RuntimeException failure) {
                assigned = false;
                LOG.warn("reading from Kafka failed and starts again: {}", failure.toString());
                pause();
            }
        }
    }

    private void pause() {
        try {
            boolean closing = closedSignal.await(500, TimeUnit.MILLISECONDS);
            LOG.debug("tries again: {}", !closing);
        } catch (InterruptedException interrupted) {
            LOG.debug("the inbox is being closed", interrupted);
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers(),
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100, ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000, ConsumerConfig.CLIENT_ID_CONFIG, "redliner-controller"),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private void assign(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> verdicts = partitions(consumer, Topic.VERDICTS);
        List<TopicPartition> statuses = partitions(consumer, Topic.LEASE_STATUS);
        List<TopicPartition> all = new ArrayList<>(verdicts);
        all.addAll(statuses);
        consumer.assign(all);
        consumer.seekToEnd(all);
        long from = clock.instant().minus(BACK).toEpochMilli();
        Map<TopicPartition, Long> times = new HashMap<>();
        statuses.forEach(partition -> times.put(partition, from));
        for (Map.Entry<TopicPartition, OffsetAndTimestamp> found : consumer.offsetsForTimes(times).entrySet()) {
            if (found.getValue() != null) {
                consumer.seek(found.getKey(), found.getValue().offset());
            }
        }
        all.forEach(consumer::position);
        assigned = true;
    }

    private static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, Topic topic) {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic.topicName());
        if (partitions == null || partitions.isEmpty()) {
            throw new KafkaException("topic " + topic.topicName() + " does not exist");
        }
        return partitions.stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
    }

    private void take(ConsumerRecord<byte[], byte[]> consumed) {
        try {
            if (consumed.value() == null || consumed.value().length == 0) {
                count(consumed.topic(), "empty");
            } else if (consumed.topic().equals(Topic.VERDICTS.topicName())) {
                Verdict verdict = Verdict.parseFrom(consumed.value());
                listener.verdict(StoredText.of(verdict.getService()), VerdictReader.read(verdict));
                count(consumed.topic(), "taken");
            } else {
                LeaseStatus status = LeaseStatus.parseFrom(consumed.value());
                listener.status(MessageReader.serviceReport(status), MessageReader.redirectorReport(status));
                count(consumed.topic(), "taken");
            }
        } catch (InvalidProtocolBufferException | RuntimeException poisoned) {
            // Whatever it is that cannot be read, reading it again would end the same way.
            count(consumed.topic(), "poisoned");
            LOG.warn("skipped a record that cannot be read: {}-{} at {}: {}", consumed.topic(), consumed.partition(),
                    consumed.offset(), poisoned.getMessage());
        }
    }

    private void count(String topic, String result) {
        meters.counter("redliner.controller.records", "topic", topic, "result", result).increment();
    }
}

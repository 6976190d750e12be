// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.port.VerdictSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads verdicts and lease status, each controller all of them. It reads verdicts from now on, as old ones judge nothing
 * that still happens. It reads status from 5 s before, so that services are known at once. A record that cannot be read
 * is counted and skipped. When Kafka is away, the source tries again until it is closed.
 */
final class KafkaVerdictSource implements VerdictSource {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaVerdictSource.class);

    private static final Duration BACK = Duration.ofSeconds(5);

    private final KafkaProperties kafka;

    private final TopicNames topics;

    private final InstantSource clock;

    private final VerdictSource.Listener listener;

    private final TopicConsumer topicConsumer;

    KafkaVerdictSource(KafkaProperties kafka, InstantSource clock, MeterRegistry meters,
            VerdictSource.Listener listener) {
        this.kafka = kafka;
        this.topics = kafka.topics();
        this.clock = clock;
        this.listener = listener;
        this.topicConsumer = new TopicConsumer("controller-verdicts", this::consumer, new Taker(), meters, clock);
    }

    @Override
    public void start() {
        topicConsumer.start();
    }

    @Override
    public boolean alive() {
        return topicConsumer.alive();
    }

    @Override
    public boolean reading() {
        return topicConsumer.reading();
    }

    @Override
    public @Nullable String broken() {
        return topicConsumer.broken();
    }

    @Override
    public void close() {
        topicConsumer.close();
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(kafka.client(Map.of(
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100, ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000, ConsumerConfig.CLIENT_ID_CONFIG,
                topics.id("redliner-controller"))),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private void assign(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> statuses = partitions(consumer, Topic.LEASE_STATUS);
        List<TopicPartition> all = partitions(consumer);
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
    }

    /** The partitions of both topics. */
    private List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> all = new ArrayList<>(partitions(consumer, Topic.VERDICTS));
        all.addAll(partitions(consumer, Topic.LEASE_STATUS));
        return all;
    }

    private List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, Topic topic) {
        List<PartitionInfo> partitions = consumer.partitionsFor(topics.name(topic));
        if (partitions == null || partitions.isEmpty()) {
            throw new KafkaException("topic " + topics.name(topic) + " does not exist");
        }
        return partitions.stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
    }

    private final class Taker implements TopicConsumer.Handler {

        @Override
        public void place(Consumer<byte[], byte[]> consumer) {
            assign(consumer);
        }

        /** Partitions that a topic got since are read from their beginning. */
        @Override
        public void look(Consumer<byte[], byte[]> consumer) {
            List<TopicPartition> all = partitions(consumer);
            List<TopicPartition> added = all.stream().filter(partition -> !consumer.assignment().contains(partition))
                    .toList();
            if (!added.isEmpty()) {
                LOG.info("reads {} too", added);
                consumer.assign(all);
                consumer.seekToBeginning(added);
            }
        }

        @Override
        public void take(ConsumerRecord<byte[], byte[]> consumed) throws SkippedRecordException {
            try {
                if (consumed.topic().equals(topics.name(Topic.VERDICTS))) {
                    Verdict verdict = Verdict.parseFrom(consumed.value());
                    String service = TextSanitizer.of(verdict.getService());
                    listener.seen(service, verdict.getRedirectorsList());
                    listener.verdict(service, VerdictDecoder.read(verdict));
                } else {
                    LeaseStatus status = LeaseStatus.parseFrom(consumed.value());
                    LeaseStatusDecoder.check(consumed.key(), status);
                    listener.status(LeaseStatusDecoder.serviceReport(status),
                            LeaseStatusDecoder.redirectorReport(status), SenderProof.read(status));
                }
            } catch (InvalidProtocolBufferException | RuntimeException poisoned) {
                // Whatever it is that cannot be read, reading it again would end the same way.
                throw new SkippedRecordException("poisoned", String.valueOf(poisoned.getMessage()));
            }
        }
    }
}

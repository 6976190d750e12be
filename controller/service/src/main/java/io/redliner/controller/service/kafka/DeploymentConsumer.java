// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Reads deployments, shared among all controllers. An offset is committed after its record was handled, so that no record
 * is lost and some come twice. A record that cannot be understood is counted and skipped. When a record cannot be stored, or
 * Kafka is away, the consumer tries again.
 */
final class DeploymentConsumer implements SmartLifecycle, TopicConsumer.Handler {

    /** The consumer group with the default topic prefix. */
    static final String GROUP = "redliner-controller-deployments";

    private final KafkaProperties kafka;

    private final DeploymentListener listener;

    private final String group;

    private final TopicConsumer topicConsumer;

    /** @param group whose members share the deployments */
    DeploymentConsumer(KafkaProperties kafka, InstantSource clock, MeterRegistry meters, DeploymentListener listener,
            String group) {
        this.kafka = kafka;
        this.listener = listener;
        this.group = group;
        this.topicConsumer = new TopicConsumer("controller-deployments", this::consumer, this, meters, clock);
    }

    @Override
    public void start() {
        topicConsumer.start();
    }

    @Override
    public void stop() {
        topicConsumer.close();
    }

    @Override
    public boolean isRunning() {
        return topicConsumer.alive();
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** Returns true while deployments are being read. */
    boolean reading() {
        return topicConsumer.reading();
    }

    /** The error that ended the reading thread; null when there was none. */
    @Nullable
    String broken() {
        return topicConsumer.broken();
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                kafka.client(Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group, ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest", ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 50,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        4000, ConsumerConfig.CLIENT_ID_CONFIG, group)),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void place(Consumer<byte[], byte[]> consumer) {
        consumer.subscribe(List.of(kafka.topics().name(Topic.DEPLOYMENTS)));
    }

    @Override
    public void take(ConsumerRecord<byte[], byte[]> consumed) throws SkippedRecordException {
        String position = "kafka-" + consumed.partition() + "-" + consumed.offset() + "-" + consumed.timestamp();
        listener.deployment(text(consumed.value()), Instant.ofEpochMilli(consumed.timestamp()), position);
    }

    @Override
    public void taken(Consumer<byte[], byte[]> consumer) {
        consumer.commitSync();
    }

    private static String text(byte[] value) throws SkippedRecordException {
        try {
            return Utf8.decode(value);
        } catch (NotUtf8Exception malformed) {
            throw new SkippedRecordException("poisoned", malformed.getMessage());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.consumer.SkippedRecordException;
import io.redliner.contract.consumer.TopicTail;
import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Reads deployments, shared among all controllers. An offset is committed after its record was handled, so that no record
 * is lost and some come twice. A record that cannot be understood is counted and skipped. When a record cannot be stored, or
 * Kafka is away, the consumer tries again.
 */
final class DeploymentConsumer implements SmartLifecycle, TopicTail.Handler {

    /** The consumer group with the default topic prefix. */
    static final String GROUP = "redliner-controller-deployments";

    private static final int MAX_POLL_RECORDS = 50;

    private final DeploymentListener listener;

    private final RecordCounter recordCounter;

    private final TopicTail topicTail;

    /** @param group whose members share the deployments */
    DeploymentConsumer(KafkaProperties kafka, InstantSource clock, MeterRegistry meters, DeploymentListener listener,
            String group) {
        this.listener = listener;
        this.recordCounter = new RecordCounter(meters);
        this.topicTail = TopicTail.ofGroup("controller-deployments", kafka, group, MAX_POLL_RECORDS, Topic.DEPLOYMENTS,
                this, clock, System::nanoTime);
    }

    @Override
    public void start() {
        topicTail.start();
    }

    @Override
    public void stop() {
        topicTail.close();
    }

    @Override
    public boolean isRunning() {
        return topicTail.alive();
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** Returns true while deployments are being read. */
    boolean reading() {
        return topicTail.reading();
    }

    /** Returns the error that ended the reading thread; null when there was none. */
    @Nullable
    String failure() {
        return topicTail.failure();
    }

    @Override
    public void take(ConsumerRecord<byte[], byte @Nullable []> message) throws SkippedRecordException {
        String position = "kafka-" + message.partition() + "-" + message.offset() + "-" + message.timestamp();
        listener.deployment(text(RecordCounter.valueOf(message)), Instant.ofEpochMilli(message.timestamp()), position);
    }

    @Override
    public long count(String topic, String result) {
        return recordCounter.count(topic, result);
    }

    private static String text(byte[] value) throws SkippedRecordException {
        try {
            return Utf8.decode(value);
        } catch (NotUtf8Exception malformed) {
            throw new SkippedRecordException("poisoned", malformed.getMessage());
        }
    }
}

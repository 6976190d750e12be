// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.jspecify.annotations.Nullable;

/** Creates Kafka Streams' default clients, with producers that report acknowledged records to a {@link ProducerAckTracker}. */
record AckTrackingClientSupplier(ProducerAckTracker ackTracker) implements KafkaClientSupplier {

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new AcknowledgedProducer(config, ackTracker);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static final class AcknowledgedProducer extends KafkaProducer<byte[], byte[]> {

        private final ProducerAckTracker ackTracker;

        AcknowledgedProducer(Map<String, Object> config, ProducerAckTracker ackTracker) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
            this.ackTracker = ackTracker;
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            String lane = lane(record);
            long ticket = ackTracker.send(lane);
            try {
                return super.send(record, (metadata, failure) -> {
                    try {
                        // Kafka Streams gets a failure first and refuses further sends. Only then may waiting records be sent.
                        if (callback != null) {
                            callback.onCompletion(metadata, failure);
                        }
                    } finally {
                        ackTracker.settled(lane, ticket);
                    }
                });
            } catch (RuntimeException e) {
                ackTracker.settled(lane, ticket);
                throw e;
            }
        }

        private static String lane(ProducerRecord<byte[], byte[]> record) {
            Integer partition = record.partition();
            byte[] key = record.key();
            return partition != null
                    ? ProducerAckTracker.lane(partition)
                    : ProducerAckTracker.lane(record.topic(),
                            key == null ? "" : new String(key, StandardCharsets.UTF_8));
        }
    }
}

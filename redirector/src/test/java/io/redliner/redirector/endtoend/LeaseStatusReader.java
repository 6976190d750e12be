// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.LeaseStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the lease statuses of a service from Kafka. For one thread. */
final class LeaseStatusReader implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;

    private final List<LeaseStatus> all = new CopyOnWriteArrayList<>();

    private final String service;

    /** @param service the statuses of other services are left out */
    LeaseStatusReader(String kafka, String service) {
        this.service = service;
        this.consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", kafka), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.DEFAULT.name(Topic.LEASE_STATUS)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads on, for a moment. */
    void read() {
        consumer.poll(Duration.ofMillis(50)).forEach(message -> {
            try {
                LeaseStatus status = LeaseStatus.parseFrom(message.value());
                if (status.getService().equals(service)) {
                    all.add(status);
                }
            } catch (InvalidProtocolBufferException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }

    /** The newest of a redirector that this is true of. */
    Optional<LeaseStatus> last(String redirector, Predicate<LeaseStatus> wanted) {
        return all.reversed().stream().filter(status -> status.getRedirector().equals(redirector)).findFirst()
                .filter(wanted);
    }

    @Override
    public void close() {
        consumer.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Every lease that any controller has sent, in the order in which the redirector reads them. */
final class LeaseRecords {

    private LeaseRecords() {}

    /** Of one run, until now. */
    static List<Lease> of(String run, String bootstrapServers) throws InvalidProtocolBufferException {
        List<Lease> leases = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers), new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.DEFAULT.name(Topic.LEASES)).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    Lease lease = record.value() == null ? Lease.getDefaultInstance() : Lease.parseFrom(record.value());
                    if (lease.getRunId().equals(run)) {
                        leases.add(lease);
                    }
                }
            }
        }
        return leases;
    }
}

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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Every lease that any controller sends from now on, in the order in which the redirector reads them. They are read as
 * they come, since the topic keeps only the newest of a service for longer than a minute.
 */
final class LeaseRecords implements AutoCloseable {

    private static final long PAUSE_MILLIS = 500;

    private final KafkaConsumer<byte[], byte[]> consumer;

    private final List<TopicPartition> partitions;

    private final List<byte[]> records = new ArrayList<>();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    LeaseRecords(String bootstrapServers) {
        consumer = new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
        partitions = consumer.partitionsFor(TopicNames.DEFAULT.name(Topic.LEASES)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        var unused = clock.scheduleWithFixedDelay(this::read, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void read() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                if (record.value() != null) {
                    records.add(record.value());
                }
            }
        }
    }

    /** Of one run, until now. */
    synchronized List<Lease> of(String run) throws InvalidProtocolBufferException {
        read();
        List<Lease> leases = new ArrayList<>();
        for (byte[] record : records) {
            Lease lease = Lease.parseFrom(record);
            if (lease.getRunId().equals(run)) {
                leases.add(lease);
            }
        }
        return leases;
    }

    @Override
    public void close() {
        clock.close();
        consumer.close();
    }
}

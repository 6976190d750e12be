// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Observation;
import io.redliner.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the observations topic from its beginning. */
public final class ObservationReader implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;

    private final List<Observation> read = new ArrayList<>();

    public ObservationReader(TestBroker kafka) {
        consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer
                .partitionsFor(new TopicNames(kafka.topicPrefix()).name(Topic.OBSERVATIONS)).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** All that came so far. */
    public List<Observation> read() throws Exception {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
            Observation observation = Observation.parseFrom(record.value());
            if (!observation.getService().equals(new String(record.key(), StandardCharsets.UTF_8))) {
                throw new IllegalStateException("the key of " + observation + " is not its service");
            }
            read.add(observation);
        }
        return read;
    }

    @Override
    public void close() {
        consumer.close();
    }
}

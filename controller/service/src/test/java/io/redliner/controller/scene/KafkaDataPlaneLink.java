// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Reads and writes the topics of one played data plane on a thread of its own. */
final class KafkaDataPlaneLink implements DataPlaneLink {

    private final FakeDataPlane plane;

    private final TopicNames topics;

    private final KafkaProducer<byte[], byte[]> producer;

    private final KafkaConsumer<byte[], byte[]> consumer;

    private final Thread worker;

    private volatile boolean closed;

    KafkaDataPlaneLink(TestBroker broker, FakeDataPlane plane) {
        String bootstrapServers = broker.bootstrapServers();
        this.topics = new TopicNames(broker.topicPrefix());
        this.plane = plane;
        this.producer = new KafkaProducer<>(Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0),
                new ByteArraySerializer(), new ByteArraySerializer());
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "enable.auto.commit", false),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topic topic : new Topic[]{Topic.LEASES, Topic.RUNS}) {
            consumer.partitionsFor(topics.name(topic))
                    .forEach(partition -> partitions
                            .add(new TopicPartition(partition.topic(), partition.partition())));
        }
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        this.worker = Thread.ofPlatform().name("fake-data-plane").daemon().start(this::work);
    }

    private void work() {
        while (!closed) {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(20))) {
                if (plane.accepts(new String(message.key(), StandardCharsets.UTF_8))) {
                    plane.take(message.topic().equals(topics.name(Topic.LEASES)) ? Topic.LEASES : Topic.RUNS,
                            message.value());
                }
            }
            plane.tick();
        }
    }

    @Override
    public void send(Topic topic, byte @Nullable [] value) {
        Future<?> unused = producer
                .send(new ProducerRecord<>(topics.name(topic), plane.service().getBytes(StandardCharsets.UTF_8),
                        value));
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        worker.join();
        consumer.close();
        producer.close(Duration.ZERO);
    }
}

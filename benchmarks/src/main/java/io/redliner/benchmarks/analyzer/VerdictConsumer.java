// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads verdicts as they come, in a thread of its own, and notes when. */
final class VerdictConsumer implements AutoCloseable {

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Received(byte[] verdict, Instant at) {}

    private final Queue<Received> received = new ConcurrentLinkedQueue<>();

    private final KafkaConsumer<String, byte[]> consumer;

    private final InstantSource clock;

    private final Thread thread;

    private volatile boolean closed;

    VerdictConsumer(String bootstrapServers, String topic, InstantSource clock) {
        this.clock = clock;
        consumer = new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new StringDeserializer(), new ByteArrayDeserializer());
        var partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().start(this::listen);
    }

    Queue<Received> received() {
        return received;
    }

    private void listen() {
        try (consumer) {
            while (!closed) {
                var records = consumer.poll(Duration.ofMillis(100));
                var now = clock.instant();
                records.forEach(record -> received.add(new Received(record.value(), now)));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

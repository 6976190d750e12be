// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.process;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the records that come to a topic from now on, in a thread of its own. */
public final class TopicListener implements AutoCloseable {

    /** As long as the redirector's. A record that comes ends the wait. */
    private static final int FETCH_WAIT_MILLIS = 100;

    private final KafkaConsumer<String, byte[]> consumer;

    private final InstantSource clock;

    private final BiConsumer<byte[], Instant> listener;

    private final Thread thread;

    private volatile boolean closed;

    /**
     * Begins to read.
     *
     * @param listener takes each record's value, and when it was read
     */
    public TopicListener(String bootstrapServers, String topic, InstantSource clock,
            BiConsumer<byte[], Instant> listener) {
        this.clock = clock;
        this.listener = listener;
        consumer = new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS), new StringDeserializer(),
                new ByteArrayDeserializer());
        var partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().start(this::listen);
    }

    private void listen() {
        try (consumer) {
            while (!closed) {
                var records = consumer.poll(Duration.ofMillis(100));
                var now = clock.instant();
                records.forEach(message -> listener.accept(message.value(), now));
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

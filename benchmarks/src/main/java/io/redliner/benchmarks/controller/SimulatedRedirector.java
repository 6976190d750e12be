// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Plays the redirector that obeys: it reads leases and runs, and answers leases with status. It reads verdicts, too, to
 * know what Kafka itself takes.
 */
final class SimulatedRedirector implements AutoCloseable {

    /** As long as the redirector's. */
    private static final int FETCH_WAIT_MILLIS = 100;

    /** What proxies typically take to follow. */
    private static final Duration FOLLOWING = Duration.ofMillis(10);

    private final KafkaConsumer<String, byte[]> consumer;

    private final Map<String, SimulatedService> services;

    private final StatusSink statuses;

    private final InstantSource clock;

    private final Queue<Following> followings = new ArrayDeque<>();

    private final ControlLoopDelays delays = new ControlLoopDelays();

    private final Thread thread;

    private volatile boolean closed;

    private volatile boolean measuring;

    private record Following(SimulatedService service, Instant at) {}

    /** Sends what the redirector says. */
    interface StatusSink {

        void status(SimulatedService service);
    }

    SimulatedRedirector(String bootstrapServers, Map<String, SimulatedService> services, InstantSource clock,
            StatusSink statuses) {
        this.services = services;
        this.clock = clock;
        this.statuses = statuses;
        consumer = new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS), new StringDeserializer(),
                new ByteArrayDeserializer());
        var partitions = Stream.of(Topic.LEASES, Topic.RUNS, Topic.VERDICTS)
                .flatMap(topic -> consumer.partitionsFor(TopicNames.DEFAULT.name(topic)).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().name("played-redirector").start(this::listen);
    }

    /** From now on it counts. */
    void measure() {
        measuring = true;
    }

    /** The delays that were measured; complete once this is closed. */
    ControlLoopDelays delays() {
        return delays;
    }

    private void listen() {
        try (consumer) {
            while (!closed) {
                var records = consumer.poll(Duration.ofMillis(followings.isEmpty() ? 100 : 2));
                var now = clock.instant();
                for (var message : records) {
                    take(message, now);
                }
                for (var next = followings.peek(); next != null && !next.at.isAfter(now); next = followings.peek()) {
                    followings.remove();
                    next.service.follow();
                    statuses.status(next.service);
                }
            }
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("The controller wrote what nobody can read", e);
        }
    }

    private void take(ConsumerRecord<String, byte[]> message, Instant now) throws InvalidProtocolBufferException {
        var service = services.get(message.key());
        if (service == null) {
            return;
        }
        if (message.topic().equals(TopicNames.DEFAULT.name(Topic.VERDICTS))) {
            if (measuring) {
                delays.kafka.add(Instant.ofEpochMilli(message.timestamp()), now);
            }
        } else if (message.topic().equals(TopicNames.DEFAULT.name(Topic.RUNS))) {
            service.specified(RunSpec.parseFrom(message.value()));
        } else {
            lease(service, Lease.parseFrom(message.value()), Instant.ofEpochMilli(message.timestamp()), now);
        }
    }

    private void lease(SimulatedService service, Lease lease, Instant sentAt, Instant now) {
        if (measuring) {
            delays.leases++;
            service.left(lease, now).ifPresent(delays::left);
        }
        boolean moves = service.moves(lease);
        service.answered(lease).filter(SimulatedService.Asked::measured).ifPresent(asked -> {
            delays.sent.add(asked.at(), sentAt);
            delays.read.add(asked.at(), now);
        });
        if (moves) {
            followings.add(new Following(service, now.plus(FOLLOWING)));
        } else {
            service.follow();
        }
        statuses.status(service);
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

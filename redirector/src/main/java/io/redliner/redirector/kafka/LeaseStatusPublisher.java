// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.sender.SenderChain;
import io.redliner.redirector.kafka.LeaseStatusEncoder.NodeLists;
import io.redliner.redirector.lease.LeaseStatusSink;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.SteadyClock;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends statuses to Kafka from a thread of its own, so that the event loop never waits for Kafka. While Kafka does not answer, the
 * oldest statuses are dropped, because one that is older than a few seconds is useless: published + dropped = reported.
 */
final class LeaseStatusPublisher implements LeaseStatusSink, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(LeaseStatusPublisher.class);

    private static final int QUEUE_LENGTH = 4_096;

    private static final Duration CLOSE = Duration.ofMillis(500);

    private final BlockingQueue<ServiceLeaseStatus> queue = new ArrayBlockingQueue<>(QUEUE_LENGTH);

    private final Producer<byte[], byte[]> producer;

    private final String topic;

    private final String redirector;

    private final SteadyClock clock;

    private final NodeLists nodes = new NodeLists();

    private final SenderChain chain = new SenderChain(new SecureRandom());

    private final Counter published;

    private final Counter dropped;

    private final Thread thread;

    LeaseStatusPublisher(KafkaProperties kafka, LeaseStatusProperties properties, MeterRegistry registry,
            SteadyClock clock) {
        this.clock = clock;
        this.topic = kafka.topics().name(Topic.LEASE_STATUS);
        this.redirector = properties.redirector();
        this.producer = new KafkaProducer<>(kafka.client(Map.of(
                ProducerConfig.CLIENT_ID_CONFIG, kafka.topics().id("redliner-redirector-status"),
                ProducerConfig.LINGER_MS_CONFIG, 0,
                ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4",
                ProducerConfig.MAX_BLOCK_MS_CONFIG, 2_000,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 1_000,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5_000)), new ByteArraySerializer(),
                new ByteArraySerializer());
        this.published = counter(registry, "published");
        this.dropped = counter(registry, "dropped");
        this.thread = Thread.ofPlatform().daemon().name("lease-status").unstarted(this::run);
    }

    private static Counter counter(MeterRegistry registry, String result) {
        return Counter.builder("redliner.lease.statuses")
                .description("Lease statuses by what became of them")
                .tag("result", result)
                .register(registry);
    }

    void start() {
        thread.start();
    }

    @Override
    public void publish(ServiceLeaseStatus status) {
        while (!queue.offer(status)) {
            if (queue.poll() != null) {
                dropped.increment();
            }
        }
    }

    boolean alive() {
        return thread.isAlive();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                send(queue.take());
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a status, and returns false when that fails at once. Later failures are counted by the callback. */
    private boolean send(ServiceLeaseStatus status) {
        try {
            return producer.send(new ProducerRecord<>(topic, status.service().getBytes(StandardCharsets.UTF_8),
                    LeaseStatusEncoder.message(redirector, status, clock.lead(), nodes.due(status)).toBuilder()
                            .setSenderProof(chain.next(status.service()).write()).build().toByteArray()),
                    (metadata, failure) -> {
                        if (failure == null) {
                            published.increment();
                        } else {
                            dropped(failure);
                        }
                    }).state() != Future.State.FAILED;
        } catch (KafkaException failure) {
            dropped(failure);
            return false;
        }
    }

    private void dropped(Exception failure) {
        dropped.increment();
        LOGGER.debug("a lease status was not published", failure);
    }

    /** Sends the queued statuses up to the first failure, and drops the rest: without Kafka each attempt takes 2 s. */
    private void sendWhatWaits() {
        boolean reached = true;
        for (ServiceLeaseStatus next = queue.poll(); next != null; next = queue.poll()) {
            if (reached) {
                reached = send(next);
            } else {
                dropped.increment();
            }
        }
    }

    /** Sends the queued statuses, then closes the producer. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE);
            sendWhatWaits();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        producer.close(CLOSE);
    }
}

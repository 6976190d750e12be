// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.collector.concurrent.WorkerThread;
import io.redliner.collector.kafka.ObservationMetrics.Loss;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.Observation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends observations to Kafka, in order, from a bounded buffer. The Kafka client gets only as many as may be unacknowledged, so
 * that the newest are in the buffer when Kafka is away.
 */
final class ObservationPublisher implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ObservationPublisher.class);

    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final Producer<byte[], byte[]> producer;

    private final DropOldestQueue queue;

    private final WorkerThread worker;

    private final InstantSource clock;

    private final String topic;

    private volatile @Nullable Exception lastFailure;

    ObservationPublisher(ObservationProperties properties, KafkaProperties kafka, ObservationMetrics metrics,
            InstantSource clock) {
        this.clock = clock;
        topic = kafka.topics().name(Topic.OBSERVATIONS);
        queue = new DropOldestQueue(properties.buffer(), properties.unacknowledged(), metrics);
        producer = new KafkaProducer<>(settings(properties, kafka), new ByteArraySerializer(),
                new ByteArraySerializer());
        worker = WorkerThread.start("redliner-collector-publisher", pause -> sendNext());
    }

    private static Map<String, Object> settings(ObservationProperties properties, KafkaProperties kafka) {
        int delivery = Math.toIntExact(properties.deliveryTimeout().toMillis());
        int linger = Math.toIntExact(properties.linger().toMillis());
        return kafka.client(Map.of(ProducerConfig.CLIENT_ID_CONFIG, kafka.topics().id("redliner-collector"),
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4", ProducerConfig.LINGER_MS_CONFIG, linger,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.min(5_000, delivery - linger), ProducerConfig.MAX_BLOCK_MS_CONFIG, delivery,
                ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500));
    }

    /** Adds an observation to the buffer; never waits. */
    void publish(Observation observation) {
        queue.add(observation);
    }

    /** Observations that are neither published nor dropped yet. */
    long buffered() {
        return queue.size();
    }

    boolean isAlive() {
        return worker.isAlive();
    }

    /** Returns why the last completed send failed; empty when it succeeded. */
    Optional<Exception> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    // The callback says what became of it.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void sendNext() throws InterruptedException {
        Observation observation = queue.take();
        try {
            producer.send(
                    new ProducerRecord<>(topic, null, clock.millis(),
                            observation.getService().getBytes(StandardCharsets.UTF_8), observation.toByteArray()),
                    (metadata, failure) -> settle(failure));
        } catch (InterruptException e) {
            lose(Loss.STOPPED, e);
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            lose(Loss.UNDELIVERABLE, e);
        }
    }

    private void settle(@Nullable Exception failure) {
        if (failure == null) {
            lastFailure = null;
            queue.published();
        } else {
            lose(Loss.UNDELIVERABLE, failure);
        }
    }

    private void lose(Loss loss, Exception failure) {
        if (lastFailure == null) {
            log.warn("Observations cannot be delivered: {}", failure.toString());
        }
        lastFailure = failure;
        queue.lost(loss);
    }

    @Override
    public void close() {
        worker.close();
        queue.close();
        producer.close(CLOSE_TIMEOUT);
    }

    /**
     * Observations on their way to Kafka. When too many wait, the oldest are dropped, because the newest describe the present. Only a
     * limited number may be under way at once, so that this buffer fills, and not the Kafka client's, when Kafka is away.
     */
    private static final class DropOldestQueue {

        private final int capacity;

        private final int maxUnderWay;

        private final ObservationMetrics metrics;

        private final Deque<Observation> waiting = new ArrayDeque<>();

        private int underWay;

        private boolean closed;

        DropOldestQueue(int capacity, int maxUnderWay, ObservationMetrics metrics) {
            this.capacity = capacity;
            this.maxUnderWay = maxUnderWay;
            this.metrics = metrics;
        }

        synchronized void add(Observation observation) {
            metrics.make();
            if (closed) {
                metrics.drop(ObservationMetrics.Loss.STOPPED, 1);
                return;
            }
            if (waiting.size() >= capacity) {
                waiting.removeFirst();
                metrics.drop(ObservationMetrics.Loss.BUFFER_FULL, 1);
            }
            waiting.addLast(observation);
            notifyAll();
        }

        /** Takes the oldest observation, which is under way from now on. Waits until there is one and it may go. */
        synchronized Observation take() throws InterruptedException {
            while (waiting.isEmpty() || underWay >= maxUnderWay) {
                wait();
            }
            underWay++;
            return waiting.removeFirst();
        }

        /** Notes that an observation under way has been published. */
        synchronized void published() {
            underWay--;
            metrics.publish();
            notifyAll();
        }

        /** Notes that an observation under way will never be published. */
        synchronized void lost(ObservationMetrics.Loss loss) {
            underWay--;
            metrics.drop(loss, 1);
            notifyAll();
        }

        /** Returns the number of observations that are neither published nor dropped. */
        synchronized int size() {
            return waiting.size() + underWay;
        }

        synchronized void close() {
            closed = true;
            metrics.drop(ObservationMetrics.Loss.STOPPED, waiting.size());
            waiting.clear();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.retry.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads from Kafka on a thread of its own until it is closed. A record that is empty, or that can never be taken, is counted
 * and skipped; after any other failure, or when Kafka is away, it finds its place again and goes on. What kills the thread
 * all the same is kept, for health.
 */
final class TopicConsumer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TopicConsumer.class);

    private static final Duration POLL = Duration.ofMillis(100);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(350);

    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    /** After so many polls in a row, Kafka and the handler count as working again. Without records these are 5 s. */
    private static final int POLLS_WITHOUT_FAILURE = 50;

    /** The time that a close waits for a record that is being taken. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final Supplier<Consumer<byte[], byte[]>> connect;

    private final Handler handler;

    private final MeterRegistry meters;

    private final Backoff backoff;

    private final Thread worker;

    private final CountDownLatch closedSignal = new CountDownLatch(1);

    private volatile boolean closed;

    private volatile boolean reading;

    private volatile @Nullable String broken;

    private volatile @Nullable Consumer<byte[], byte[]> current;

    /**
     * Reads once it is started.
     *
     * @param name of its thread
     */
    TopicConsumer(String name, Supplier<Consumer<byte[], byte[]>> connect, Handler handler, MeterRegistry meters,
            InstantSource clock) {
        this.connect = connect;
        this.handler = handler;
        this.meters = meters;
        this.backoff = new Backoff(FIRST_PAUSE, MAX_PAUSE, clock);
        this.worker = Thread.ofPlatform().name(name).daemon().unstarted(this::work);
    }

    /** Starts reading, once. */
    void start() {
        worker.start();
    }

    /** Returns true while the thread is alive. */
    boolean alive() {
        return worker.isAlive();
    }

    /** Returns true once the place to read from was found, until something fails. */
    boolean reading() {
        return reading;
    }

    /** The error that ended the thread; null when there was none. */
    @Nullable
    String broken() {
        return broken;
    }

    @Override
    public void close() {
        closed = true;
        closedSignal.countDown();
        Consumer<byte[], byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            worker.join(STOP_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        try {
            readUntilClosed();
        } catch (Throwable fatal) {
            broken = fatal.toString();
            LOG.error("{} is dead: nothing is read any more", worker.getName(), fatal);
        } finally {
            reading = false;
        }
    }

    private void readUntilClosed() {
        while (!closed) {
            try (Consumer<byte[], byte[]> consumer = connect.get()) {
                current = consumer;
                handler.place(consumer);
                reading = true;
                for (int polls = 0; !closed; polls++) {
                    if (polls == POLLS_WITHOUT_FAILURE) {
                        backoff.succeeded();
                    }
                    read(consumer);
                }
            } catch (WakeupException | InterruptException stopping) {
                LOG.debug("{} was woken up", worker.getName(), stopping);
            } catch (RuntimeException failure) {
                reading = false;
                LOG.warn("{} failed and starts again: {}", worker.getName(), failure.toString());
                pause();
            }
        }
    }

    private void read(Consumer<byte[], byte[]> consumer) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        records.forEach(this::take);
        if (!records.isEmpty()) {
            handler.taken(consumer);
        }
        handler.look(consumer);
    }

    private void take(ConsumerRecord<byte[], byte[]> consumed) {
        try {
            if (consumed.value() == null || consumed.value().length == 0) {
                throw new SkippedRecordException("empty", "has no value");
            }
            handler.take(consumed);
            count(consumed.topic(), "taken");
        } catch (SkippedRecordException skipped) {
            long alike = count(consumed.topic(), skipped.result());
            // Fewer and fewer lines, so that many such records do not fill a disk.
            if (Long.bitCount(alike) == 1) {
                LOG.warn("skipped a record: {}-{} at {}, {} {} so far: {}", consumed.topic(), consumed.partition(),
                        consumed.offset(), alike, skipped.result(),
                        TextSanitizer.of(String.valueOf(skipped.getMessage())));
            }
        }
    }

    /** Counts a record of the topic with this result. Returns how many there have been. */
    private long count(String topic, String result) {
        Counter counter = meters.counter("redliner.controller.records", "topic", topic, "result", result);
        counter.increment();
        return (long) counter.count();
    }

    private void pause() {
        try {
            boolean closing = closedSignal.await(backoff.failed().toMillis(), TimeUnit.MILLISECONDS);
            LOG.debug("{} tries again: {}", worker.getName(), !closing);
        } catch (InterruptedException interrupted) {
            LOG.debug("{} is being closed", worker.getName(), interrupted);
        }
    }

    /** Handles the records of a consumer. Called on the consumer's thread. */
    interface Handler {

        /** Finds the place to read from; again after each failure. */
        void place(Consumer<byte[], byte[]> consumer);

        /**
         * Takes a record that is not empty. After any other exception the place to read from is found again.
         *
         * @throws SkippedRecordException when it is to be counted and skipped
         */
        void take(ConsumerRecord<byte[], byte[]> consumed) throws SkippedRecordException;

        /** Looks for more to read from, after each poll. */
        default void look(Consumer<byte[], byte[]> consumer) {}

        /** All records of a poll were taken or skipped. */
        default void taken(Consumer<byte[], byte[]> consumer) {}
    }
}

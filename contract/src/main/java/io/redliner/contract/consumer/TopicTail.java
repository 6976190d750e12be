// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.consumer;

import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.retry.Backoff;
import io.redliner.contract.text.LogText;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics on a thread of its own until it is closed: all partitions, also those that are added later. A record that can
 * never be taken is counted and skipped. After any other failure, or when Kafka is away, the tail finds its place again and goes
 * on. What kills the thread all the same is kept, for health.
 */
public final class TopicTail implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TopicTail.class);

    private static final Duration POLL = Duration.ofMillis(200);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(350);

    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    /** Polls in a row after which Kafka and the handler count as working again. Without records they take 5 s. */
    private static final int POLLS_WITHOUT_FAILURE = 25;

    /** The time that a close waits for a record that is being taken. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private static final int API_TIMEOUT_MILLIS = 5_000;

    private static final int REQUEST_TIMEOUT_MILLIS = 4_000;

    private static final int MAX_RECONNECT_MILLIS = 500;

    /** Characters of a reason in a log. */
    private static final int MAX_REASON_LENGTH = 500;

    private final Map<String, Object> settings;

    private final Placement placement;

    private final Handler handler;

    private final Backoff backoff;

    private final KafkaAnswers answers;

    private final Thread worker;

    private final CountDownLatch closed = new CountDownLatch(1);

    private volatile String problem = "Kafka was not asked yet";

    private volatile @Nullable String failure;

    private volatile @Nullable Consumer<byte[], byte[]> current;

    private TopicTail(String threadName, Map<String, Object> settings, Placement placement, Handler handler,
            InstantSource clock, LongSupplier nanoTime) {
        this.settings = settings;
        this.placement = placement;
        this.handler = handler;
        this.backoff = new Backoff(FIRST_PAUSE, MAX_PAUSE, clock);
        this.answers = new KafkaAnswers(nanoTime);
        this.worker = Thread.ofPlatform().name(threadName).daemon().unstarted(this::work);
    }

    /**
     * Creates a tail that reads all records of its topics.
     *
     * @param client id of the Kafka client, without the installation's prefix
     * @param maxFetchWait the longest time that a broker holds a fetch without new records; a new record is returned at once
     * @param nanoTime a monotonic timer, as {@link System#nanoTime}
     */
    public static TopicTail of(String threadName, KafkaProperties kafka, String client, Duration maxFetchWait,
            List<Source> sources, Handler handler, InstantSource clock, LongSupplier nanoTime) {
        boolean earliest = sources.stream().anyMatch(source -> source.begin() == Source.Begin.BEGINNING);
        return new TopicTail(threadName, kafka.client(settings(kafka.topics().id(client), Map.of(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, earliest ? "earliest" : "latest",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, Math.toIntExact(maxFetchWait.toMillis())))),
                new AllPartitions(kafka.topics(), sources, clock), handler, clock, nanoTime);
    }

    /**
     * Creates a tail that shares the records of a topic with the other members of a group. An offset is committed after the
     * records up to it were taken: none is lost, and some come twice.
     *
     * @param group id of the group and of the Kafka client
     * @param maxPollRecords the largest number of records between two commits
     */
    public static TopicTail ofGroup(String threadName, KafkaProperties kafka, String group, int maxPollRecords,
            Topic topic, Handler handler, InstantSource clock, LongSupplier nanoTime) {
        return new TopicTail(threadName, kafka.client(settings(group, Map.of(
                ConsumerConfig.GROUP_ID_CONFIG, group,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxPollRecords))),
                new SharedTopic(kafka.topics().name(topic)), handler, clock, nanoTime);
    }

    private static Map<String, Object> settings(String client, Map<String, Object> own) {
        Map<String, Object> settings = new HashMap<>(own);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, client);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, API_TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, MAX_RECONNECT_MILLIS);
        return settings;
    }

    /** Starts reading, once. */
    public void start() {
        worker.start();
    }

    /** Returns true while the thread is alive. */
    public boolean alive() {
        return worker.isAlive();
    }

    /** Returns the error that ended the thread; null when there was none. */
    public @Nullable String failure() {
        return failure;
    }

    /** Returns true once the place to read from was found, until something fails. */
    public boolean reading() {
        return worker.isAlive() && problem.isEmpty();
    }

    /** Returns the reason why nothing is read; empty when records are read. */
    public Optional<String> problem() {
        String fatal = failure;
        if (fatal != null) {
            return Optional.of("the reading thread is dead: " + fatal);
        }
        return problem.isEmpty()
                ? answers.silence().map(silence -> "Kafka has not answered for " + silence.toSeconds() + " s")
                : Optional.of(problem);
    }

    @Override
    public void close() {
        closed.countDown();
        Consumer<byte[], byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            if (worker.isAlive() && !worker.join(STOP_TIMEOUT)) {
                LOG.warn("the thread {} does not end", worker.getName());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean open() {
        return closed.getCount() > 0;
    }

    private void work() {
        try {
            while (open()) {
                readUntilFailure();
            }
            problem = "closed";
        } catch (Throwable fatal) {
            failure = fatal.toString();
            LOG.error("{} is dead: nothing is read any more", worker.getName(), fatal);
        }
    }

    private void readUntilFailure() {
        try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            current = consumer;
            placement.place(consumer);
            Metric fetched = fetched(consumer);
            answers.answered();
            problem = "";
            for (int polls = 0; open(); polls++) {
                if (polls == POLLS_WITHOUT_FAILURE) {
                    backoff.succeeded();
                }
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                records.forEach(this::take);
                answers.fetched((double) fetched.metricValue());
                placement.polled(consumer, !records.isEmpty());
                handler.polled(consumer);
            }
        } catch (WakeupException | InterruptException stopping) {
            LOG.debug("{} was woken up", worker.getName(), stopping);
        } catch (RuntimeException failure) {
            String reason = failure instanceof AllPartitions.MissingTopicException
                    ? String.valueOf(failure.getMessage())
                    : failure.toString();
            if (!reason.equals(problem)) {
                LOG.warn("{} failed and starts again: {}", worker.getName(), reason);
            }
            problem = reason;
            pause();
        }
    }

    /** Returns the metric that counts the brokers' answers: a poll is just empty when they do not answer. */
    private static Metric fetched(Consumer<byte[], byte[]> consumer) {
        return consumer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals(KafkaAnswers.METRIC)
                        && metric.metricName().tags().keySet().equals(Set.of("client-id")))
                .findFirst().orElseThrow();
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        try {
            handler.take(message);
            handler.count(message.topic(), "taken");
        } catch (SkippedRecordException skipped) {
            long alike = handler.count(message.topic(), skipped.result());
            // Fewer and fewer lines, so that many such records do not fill a disk.
            if (Long.bitCount(alike) == 1) {
                LOG.warn("skipped a record: {}-{} at {}, {} {} so far: {}", message.topic(), message.partition(),
                        message.offset(), alike, skipped.result(),
                        LogText.line(String.valueOf(skipped.getMessage()), MAX_REASON_LENGTH));
            }
        }
    }

    private void pause() {
        try {
            boolean closing = closed.await(backoff.failed().toMillis(), TimeUnit.MILLISECONDS);
            LOG.debug("{} tries again: {}", worker.getName(), !closing);
        } catch (InterruptedException interrupted) {
            LOG.debug("{} is being closed", worker.getName(), interrupted);
        }
    }

    /** Handles records. Called on the tail's thread. */
    public interface Handler {

        /**
         * Handles a record; its value may be null or empty. After any other exception the position to read from is looked up again.
         *
         * @throws SkippedRecordException when the record is to be counted and skipped
         */
        void take(ConsumerRecord<byte[], byte @Nullable []> message) throws SkippedRecordException;

        /**
         * Counts a record of the topic.
         *
         * @param result {@code taken}, or that of the {@link SkippedRecordException}
         * @return how many such records there have been
         */
        long count(String topic, String result);

        /** Is called after each poll, also without records. */
        default void polled(Consumer<byte[], byte[]> consumer) {}
    }

    /** Where a consumer reads. */
    interface Placement {

        void place(Consumer<byte[], byte[]> consumer);

        void polled(Consumer<byte[], byte[]> consumer, boolean anyRecords);
    }

    private record SharedTopic(String topic) implements Placement {

        @Override
        public void place(Consumer<byte[], byte[]> consumer) {
            consumer.subscribe(List.of(topic));
        }

        @Override
        public void polled(Consumer<byte[], byte[]> consumer, boolean anyRecords) {
            if (anyRecords) {
                consumer.commitSync();
            }
        }
    }

    /**
     * Tracks whether the brokers still answer a consumer. A poll without records does not tell whether there are none or the brokers do
     * not answer, so the answered fetches are counted. Written by one thread, read by any.
     */
    static final class KafkaAnswers {

        /** The name of the consumer's metric that counts answered fetches; the one whose only tag is the client's id. */
        static final String METRIC = "fetch-total";

        /**
         * Time without an answered fetch after which the brokers count as silent. A working broker answers within a few seconds, with
         * records or without.
         */
        static final Duration MAX_SILENCE = Duration.ofSeconds(10);

        private final LongSupplier nanoTime;

        private volatile long answeredAt;

        private double fetches;

        /**
         * Creates a tracker; the last answer is now.
         *
         * @param nanoTime a monotonic timer, as {@link System#nanoTime}
         */
        KafkaAnswers(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            this.answeredAt = nanoTime.getAsLong();
        }

        /** Notes an answer to a request other than a fetch, by a consumer that may be a new one. */
        void answered() {
            fetches = 0;
            answeredAt = nanoTime.getAsLong();
        }

        /**
         * Updates the number of the consumer's answered fetches.
         *
         * @param total since that consumer began, >= 0
         */
        void fetched(double total) {
            if (total > fetches) {
                fetches = total;
                answeredAt = nanoTime.getAsLong();
            }
        }

        /** Returns how long no broker has answered; empty up to {@link #MAX_SILENCE}. */
        Optional<Duration> silence() {
            return Optional.of(Duration.ofNanos(nanoTime.getAsLong() - answeredAt))
                    .filter(silence -> silence.compareTo(MAX_SILENCE) > 0);
        }
    }
}

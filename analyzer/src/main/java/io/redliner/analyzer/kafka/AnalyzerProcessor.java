// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.state.AnalyzerStateStore;
import io.redliner.analyzer.state.KeyValueTable;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** One task of Kafka Streams: hands a partition's records to its {@link PartitionAnalyzer}. */
final class AnalyzerProcessor implements Processor<String, byte[], String, byte[]> {

    static final String STORE = "analysis";

    static final String VERDICTS = "verdicts";

    static final String PARKED = "parked";

    /** The parts of one task. */
    private record Work(PartitionAnalyzer partitionAnalyzer, VerdictPublisher verdictPublisher,
            DeadLetterPublisher deadLetters,
            StreamTime time) {

        void publish(List<Verdict> verdicts) {
            verdictPublisher.add(verdicts);
            verdictPublisher.release();
            deadLetters.release();
        }
    }

    private final Supplier<ServiceAnalyzer> newService;

    private final ProcessorProperties properties;

    private final String runsTopic;

    private final String verdictsTopic;

    private final InstantSource clock;

    private final AnalyzerMetrics metrics;

    private final ProducerAckTracker ackTracker;

    private @Nullable ProcessorContext<String, byte[]> context;

    private @Nullable Work work;

    private @Nullable Cancellable releaseSchedule;

    AnalyzerProcessor(Supplier<ServiceAnalyzer> newService, ProcessorProperties properties, TopicNames topics,
            InstantSource clock, AnalyzerMetrics metrics, ProducerAckTracker ackTracker) {
        this.newService = newService;
        this.properties = properties;
        this.runsTopic = topics.name(Topic.RUNS);
        this.verdictsTopic = topics.name(Topic.VERDICTS);
        this.clock = clock;
        this.metrics = metrics;
        this.ackTracker = ackTracker;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        context = newContext;
        var verdictPublisher = new VerdictPublisher(ackTracker,
                ProducerAckTracker.lane(newContext.taskId().partition()),
                verdictsTopic,
                verdict -> newContext.forward(
                        new Record<>(verdict.getService(), verdict.toByteArray(), verdict.getEmittedAtMs()),
                        VERDICTS));
        var deadLetters = new DeadLetterPublisher(newContext, PARKED);
        var table = new StoredTable(newContext.getStateStore(STORE));
        var currentWork = new Work(
                new PartitionAnalyzer(newService,
                        new AnalyzerStateStore(table, verdictPublisher::unconfirmed, metrics::stateStored),
                        deadLetters,
                        metrics),
                verdictPublisher, deadLetters, new StreamTime(properties.tick()));
        var now = currentWork.time.at(clock.instant());
        verdictPublisher.add(currentWork.partitionAnalyzer.restore(now, properties.catchUp()));
        newContext.schedule(properties.tick(), PunctuationType.WALL_CLOCK_TIME, unused -> {
            var tick = currentWork.time.tick(clock.instant());
            metrics.behind(newContext.taskId().partition(), currentWork.time.behindSeconds());
            currentWork.publish(currentWork.partitionAnalyzer.tick(tick));
            verdictPublisher.forgetArrived();
            scheduleRelease(currentWork);
        });
        work = currentWork;
        // Kafka Streams initialises a revived task again, without its schedules.
        releaseSchedule = null;
        scheduleRelease(currentWork);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        Topic topic = Objects.requireNonNull(context, "not initialised").recordMetadata()
                .filter(metadata -> metadata.topic().equals(runsTopic)).isPresent() ? Topic.RUNS : Topic.OBSERVATIONS;
        var currentWork = Objects.requireNonNull(work, "not initialised");
        var now = topic == Topic.OBSERVATIONS
                ? currentWork.time.read(clock.instant(), record.timestamp())
                : currentWork.time.at(clock.instant());
        currentWork.publish(currentWork.partitionAnalyzer.record(topic, record.key(), record.value(), now));
        scheduleRelease(currentWork);
    }

    /** Releases verdicts often, but only while some are pending: Kafka Streams stops reading during each release. */
    private void scheduleRelease(Work currentWork) {
        if (releaseSchedule == null && !currentWork.verdictPublisher.isEmpty()) {
            releaseSchedule = Objects.requireNonNull(context, "not initialised").schedule(properties.poll(),
                    PunctuationType.WALL_CLOCK_TIME, unused -> {
                        currentWork.verdictPublisher.release();
                        if (currentWork.verdictPublisher.isEmpty() && releaseSchedule != null) {
                            releaseSchedule.cancel();
                            releaseSchedule = null;
                        }
                    });
        }
    }

    @Override
    public void close() {
        var currentWork = work;
        if (currentWork != null) {
            metrics.forget(Objects.requireNonNull(context, "not initialised").taskId().partition());
        }
    }

    private record StoredTable(KeyValueStore<String, byte[]> store) implements KeyValueTable {

        @Override
        public byte @Nullable [] get(String key) {
            return store.get(key);
        }

        @Override
        public void put(String key, byte[] value) {
            store.put(key, value);
        }

        @Override
        public void delete(String key) {
            store.delete(key);
        }

        @Override
        public void forEach(BiConsumer<String, byte[]> action) {
            try (var entries = store.all()) {
                entries.forEachRemaining(entry -> action.accept(entry.key, entry.value));
            }
        }
    }

    /**
     * The time by which the windows of a partition are judged. It is the time of the newest observation read, or the clock's time when
     * there is nothing to read. An analyzer that is behind therefore does not take observations for missing that it has yet to read.
     * The smallest lag of the last minutes is taken as the difference between the broker's clock and the analyzer's. The time never
     * goes back. For one thread.
     */
    static final class StreamTime {

        /** The smallest lag is that of this period and the period before. */
        private static final long PERIOD_MILLIS = Duration.ofMinutes(1).toMillis();

        /** Largest step of a tick in which no record was read, in tick lengths. */
        private static final int CATCH_UP_FACTOR = 2;

        private final Duration longestStep;

        private Instant last = Instant.MIN;

        private long behindMillis;

        private boolean readSinceTick;

        private long periodEnd = Long.MIN_VALUE;

        private long smallestLag = Long.MAX_VALUE;

        private long smallestLagBefore = Long.MAX_VALUE;

        /** @param tick how often {@link #tick} is called */
        StreamTime(Duration tick) {
            longestStep = tick.multipliedBy(CATCH_UP_FACTOR);
        }

        /**
         * Advances to the time of an observation.
         *
         * @param clock the time now
         * @param appendedMillis when the broker appended the observation, since the epoch by the broker's clock
         */
        Instant read(Instant clock, long appendedMillis) {
            readSinceTick = true;
            long lag = clock.toEpochMilli() - appendedMillis;
            if (clock.toEpochMilli() >= periodEnd) {
                smallestLagBefore = smallestLag;
                smallestLag = lag;
                periodEnd = clock.toEpochMilli() + PERIOD_MILLIS;
            }
            smallestLag = Math.min(smallestLag, lag);
            behindMillis = lag - Math.min(smallestLag, smallestLagBefore);
            return advance(clock.minusMillis(behindMillis));
        }

        /** Returns the time for records that are not observations. */
        Instant at(Instant clock) {
            return advance(clock.minusMillis(behindMillis));
        }

        /**
         * Advances by a tick. Without an observation the time goes faster than the clock until it has caught up, but not at once: after
         * a pause of the process there may be many observations to read.
         */
        Instant tick(Instant clock) {
            var next = clock.minusMillis(behindMillis);
            if (!last.equals(Instant.MIN)) {
                var farthest = last.plus(longestStep);
                next = earlier(readSinceTick ? next : clock, farthest);
            }
            readSinceTick = false;
            next = advance(next);
            behindMillis = Math.max(0, Duration.between(next, clock).toMillis());
            return next;
        }

        /** Returns how far this time is behind the clock, in seconds. */
        double behindSeconds() {
            return behindMillis / 1e3;
        }

        private Instant advance(Instant next) {
            last = next.isAfter(last) ? next : last;
            return last;
        }

        private static Instant earlier(Instant one, Instant other) {
            return one.isBefore(other) ? one : other;
        }
    }
}

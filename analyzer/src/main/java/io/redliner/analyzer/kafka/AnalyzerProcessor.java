// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.state.AnalyzerStateStore;
import io.redliner.analyzer.state.KeyValueTable;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Verdict;
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

    private final StreamsProperties properties;

    private final String runsTopic;

    private final String verdictsTopic;

    private final InstantSource clock;

    private final AnalyzerMetrics metrics;

    private final ProducerAckTracker ackTracker;

    private @Nullable ProcessorContext<String, byte[]> context;

    private @Nullable Work work;

    private @Nullable Cancellable releaseSchedule;

    AnalyzerProcessor(Supplier<ServiceAnalyzer> newService, StreamsProperties properties, TopicNames topics,
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
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.state.AnalyzerStateStore;
import io.redliner.analyzer.state.EncodedVerdict;
import io.redliner.analyzer.state.KeyValueTable;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
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

    /** What one task consists of. */
    private record Work(PartitionAnalyzer analysis, VerdictPublisher verdictPublisher, DeadLetterPublisher deadLetters,
            StreamTime time) {

        void publish(List<EncodedVerdict> said) {
            verdictPublisher.add(said);
            verdictPublisher.release();
            deadLetters.release();
        }
    }

    private final Supplier<ServiceAnalyzer> newService;

    private final StreamsProperties properties;

    private final String runs;

    private final String verdicts;

    private final InstantSource clock;

    private final AnalyzerMetrics metrics;

    private final ProducerAckTracker acknowledgements;

    private @Nullable ProcessorContext<String, byte[]> context;

    private @Nullable Work work;

    private @Nullable Cancellable releaseSchedule;

    AnalyzerProcessor(Supplier<ServiceAnalyzer> newService, StreamsProperties properties, TopicNames topics,
            InstantSource clock, AnalyzerMetrics metrics, ProducerAckTracker acknowledgements) {
        this.newService = newService;
        this.properties = properties;
        this.runs = topics.name(Topic.RUNS);
        this.verdicts = topics.name(Topic.VERDICTS);
        this.clock = clock;
        this.metrics = metrics;
        this.acknowledgements = acknowledgements;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        context = newContext;
        var verdictPublisher = new VerdictPublisher(acknowledgements,
                ProducerAckTracker.lane(newContext.taskId().partition()),
                verdicts,
                said -> newContext.forward(
                        new Record<>(said.service(), said.value(), said.verdict().getEmittedAtMs()), VERDICTS));
        var deadLetters = new DeadLetterPublisher(newContext, PARKED);
        var table = new StoredTable(newContext.getStateStore(STORE));
        var begun = new Work(
                new PartitionAnalyzer(newService,
                        new AnalyzerStateStore(table, verdictPublisher::unconfirmed, metrics::stored),
                        deadLetters,
                        metrics),
                verdictPublisher, deadLetters, new StreamTime(properties.tick()));
        var now = begun.time.at(clock.instant());
        verdictPublisher.add(begun.analysis.restore(now, properties.catchUp()));
        newContext.schedule(properties.tick(), PunctuationType.WALL_CLOCK_TIME, unused -> {
            var tick = begun.time.tick(clock.instant());
            metrics.behind(newContext.taskId().partition(), begun.time.behindSeconds());
            begun.publish(begun.analysis.tick(tick));
            verdictPublisher.forgetArrived();
            scheduleRelease(begun);
        });
        work = begun;
        // A task that is revived is initialised again, and its schedules are gone.
        releaseSchedule = null;
        scheduleRelease(begun);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        Topic topic = Objects.requireNonNull(context, "not initialised").recordMetadata()
                .filter(metadata -> metadata.topic().equals(runs)).isPresent() ? Topic.RUNS : Topic.OBSERVATIONS;
        var begun = Objects.requireNonNull(work, "not initialised");
        var now = topic == Topic.OBSERVATIONS
                ? begun.time.read(clock.instant(), record.timestamp())
                : begun.time.at(clock.instant());
        begun.publish(begun.analysis.record(topic, record.key(), record.value(), now));
        scheduleRelease(begun);
    }

    /** Releases verdicts often, but only while some are pending: Kafka Streams stops reading during each release. */
    private void scheduleRelease(Work begun) {
        if (releaseSchedule == null && !begun.verdictPublisher.isEmpty()) {
            releaseSchedule = Objects.requireNonNull(context, "not initialised").schedule(properties.poll(),
                    PunctuationType.WALL_CLOCK_TIME, unused -> {
                        begun.verdictPublisher.release();
                        if (begun.verdictPublisher.isEmpty() && releaseSchedule != null) {
                            releaseSchedule.cancel();
                            releaseSchedule = null;
                        }
                    });
        }
    }

    @Override
    public void close() {
        var begun = work;
        if (begun != null) {
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

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.run.ServiceAnalysis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** One task of Kafka Streams: hands a partition's records to its {@link PartitionAnalysis}. */
final class AnalysisProcessor implements Processor<String, byte[], String, byte[]> {

    static final String RUNS = "runs";

    private final Supplier<ServiceAnalysis> newService;

    private final Duration tick;

    private final InstantSource clock;

    private final AnalyzerMetrics metrics;

    private @Nullable ProcessorContext<String, byte[]> context;

    private @Nullable PartitionAnalysis analysis;

    AnalysisProcessor(Supplier<ServiceAnalysis> newService, Duration tick, InstantSource clock,
            AnalyzerMetrics metrics) {
        this.newService = newService;
        this.tick = tick;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        context = newContext;
        KeyValueStore<String, byte[]> store = newContext.getStateStore(RUNS);
        var recalled = new PartitionAnalysis(newService, new StoredRuns(store), metrics);
        try (var stored = store.all()) {
            stored.forEachRemaining(entry -> recalled.recall(entry.key, entry.value, clock.instant()));
        }
        analysis = recalled;
        newContext.schedule(tick, PunctuationType.WALL_CLOCK_TIME, unused -> emit(recalled.tick(clock.instant())));
    }

    @Override
    public void process(Record<String, byte[]> record) {
        String topic = context().recordMetadata().map(metadata -> metadata.topic()).orElse("");
        emit(Objects.requireNonNull(analysis, "not initialised").record(topic, record.key(), record.value(),
                clock.instant()));
    }

    private void emit(List<Said> said) {
        said.forEach(it -> context().forward(new Record<>(it.service(), it.value(), it.verdict().getEmittedAtMs())));
    }

    private ProcessorContext<String, byte[]> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    private record StoredRuns(KeyValueStore<String, byte[]> store) implements Runs {

        @Override
        public byte @Nullable [] get(String service) {
            return store.get(service);
        }

        @Override
        public void put(String service, byte[] run) {
            store.put(service, run);
        }

        @Override
        public void delete(String service) {
            store.delete(service);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.run.Analysis;
import io.redliner.analyzer.run.RunUnderTest;
import io.redliner.analyzer.run.ServiceAnalysis;
import io.redliner.contract.Topic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One task: the services of one partition. The runs survive a restart in the store, what is searched does not. */
final class AnalysisProcessor implements Processor<String, byte[], String, byte[]> {

    static final String RUNS = "runs";

    private static final Logger log = LoggerFactory.getLogger(AnalysisProcessor.class);

    private final Map<String, ServiceAnalysis> services = new HashMap<>();

    private final Map<String, Long> gaps = new HashMap<>();

    private final RunReader runReader = new RunReader();

    private final Supplier<ServiceAnalysis> newService;

    private final Duration tick;

    private final InstantSource clock;

    private final AnalyzerMetrics metrics;

    private @Nullable ProcessorContext<String, byte[]> context;

    private @Nullable KeyValueStore<String, byte[]> runs;

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
        runs = newContext.getStateStore(RUNS);
        recallRuns();
        newContext.schedule(tick, PunctuationType.WALL_CLOCK_TIME, unused -> tick());
    }

    @Override
    public void process(Record<String, byte[]> record) {
        String topic = context().recordMetadata().map(metadata -> metadata.topic()).orElse("");
        if (topic.equals(Topic.RUNS.topicName())) {
            run(record.key(), record.value());
        } else {
            observation(record.key(), record.value());
        }
    }

    /** A run that was live when this task began elsewhere, or before a restart. */
    private void recallRuns() {
        try (var stored = runs().all()) {
            stored.forEachRemaining(entry -> {
                try {
                    var run = runReader.read(entry.key, entry.value);
                    if (run.live()) {
                        log.warn("Run {} on {} was live before this task began", run.runId(), entry.key);
                        service(entry.key).recall(run, clock.instant());
                    }
                } catch (MalformedRecordException e) {
                    log.warn("The stored run on {} is not to be understood: {}", entry.key, e.getMessage());
                }
            });
        }
    }

    private void run(@Nullable String service, byte @Nullable [] value) {
        if (service == null) {
            metrics.run("malformed");
            return;
        }
        if (value == null) {
            runs().delete(service);
            service(service).forgetRun();
            metrics.noRun(service);
            return;
        }
        try {
            var run = runReader.read(service, value);
            if (stale(service, run)) {
                metrics.run("stale");
                return;
            }
            runs().put(service, value);
            service(service).hear(run, clock.instant());
            if (!run.live()) {
                metrics.noRun(service);
            }
            metrics.run("accepted");
        } catch (MalformedRecordException e) {
            metrics.run("malformed");
            log.warn("A run on {} is skipped: {}", service, e.getMessage());
        }
    }

    private boolean stale(String service, RunUnderTest run) throws MalformedRecordException {
        byte[] known = runs().get(service);
        return known != null && Long.compareUnsigned(run.epoch(), runReader.read(service, known).epoch()) < 0;
    }

    private void observation(@Nullable String service, byte @Nullable [] value) {
        if (service == null || value == null) {
            metrics.malformedObservation();
            return;
        }
        try {
            var sighting = SightingReader.read(service, value);
            var analysis = service(service);
            metrics.received(analysis.add(sighting, clock.instant()));
            countGaps(service, analysis);
            emit(analysis);
        } catch (MalformedRecordException e) {
            metrics.malformedObservation();
            log.warn("An observation of {} is skipped: {}", service, e.getMessage());
        }
    }

    private void countGaps(String service, ServiceAnalysis analysis) {
        long now = analysis.gaps();
        long before = Objects.requireNonNullElse(gaps.put(service, now), 0L);
        if (now > before) {
            metrics.missing(now - before);
        }
    }

    private void tick() {
        services.values().forEach(this::emit);
        services.entrySet().removeIf(entry -> {
            boolean idle = entry.getValue().idle();
            if (idle) {
                gaps.remove(entry.getKey());
            }
            return idle;
        });
    }

    private void emit(ServiceAnalysis service) {
        for (Analysis analysis : service.due(clock.instant())) {
            metrics.judged(analysis);
            var now = clock.instant();
            context().forward(new Record<>(analysis.run().service(), VerdictWriter.write(analysis, now).toByteArray(),
                    now.toEpochMilli()));
        }
    }

    private ServiceAnalysis service(String service) {
        return services.computeIfAbsent(service, unused -> newService.get());
    }

    private ProcessorContext<String, byte[]> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    private KeyValueStore<String, byte[]> runs() {
        return Objects.requireNonNull(runs, "not initialised");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.run.Analysis;
import io.redliner.analyzer.run.RunUnderTest;
import io.redliner.analyzer.run.ServiceAnalysis;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.search.SteppingSearch;
import io.redliner.contract.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of one partition, without Kafka: records and the time go in, verdicts come out. The same calls with the
 * same instants give byte-equal verdicts, in the same order. For one thread.
 */
public final class PartitionAnalysis {

    private static final Logger log = LoggerFactory.getLogger(PartitionAnalysis.class);

    /** In the order of their names, so that what is said in one tick has an order too. */
    private final Map<String, ServiceAnalysis> services = new TreeMap<>();

    private final Map<String, Long> gaps = new HashMap<>();

    private final RunReader runReader = new RunReader();

    private final Supplier<ServiceAnalysis> newService;

    private final Runs runs;

    private final AnalyzerMetrics metrics;

    PartitionAnalysis(Supplier<ServiceAnalysis> newService, Runs runs, AnalyzerMetrics metrics) {
        this.newService = newService;
        this.runs = runs;
        this.metrics = metrics;
    }

    /**
     * Of services that nothing is known of; what is learnt of them lasts as long as this object.
     *
     * @param grace how long after its end a window waits for what is missing
     */
    public static PartitionAnalysis of(Duration grace, SearchSettings search, AnalyzerMetrics metrics) {
        return new PartitionAnalysis(() -> service(grace, search), Runs.inMemory(), metrics);
    }

    static ServiceAnalysis service(Duration grace, SearchSettings search) {
        return new ServiceAnalysis(Duration.ofSeconds(1), grace,
                run -> new SteppingSearch(search, run.criteria().sla(), run.largestRaise()));
    }

    /** Takes one record of {@link Topic#OBSERVATIONS} or of {@link Topic#RUNS}. */
    public List<Said> record(String topic, @Nullable String key, byte @Nullable [] value, Instant now) {
        if (topic.equals(Topic.RUNS.topicName())) {
            run(key, value, now);
            return List.of();
        }
        return observation(key, value, now);
    }

    /** Judges the windows whose grace is over. */
    public List<Said> tick(Instant now) {
        var said = new ArrayList<Said>();
        services.values().forEach(service -> said.addAll(due(service, now)));
        services.entrySet().removeIf(entry -> {
            boolean idle = entry.getValue().idle();
            if (idle) {
                gaps.remove(entry.getKey());
            }
            return idle;
        });
        return said;
    }

    /** A run that was live when this partition was taken over, or before a restart. */
    void recall(String service, byte[] value, Instant now) {
        try {
            var run = runReader.read(service, value);
            if (run.live()) {
                log.warn("Run {} on {} was live before this task began", run.runId(), service);
                service(service).recall(run, now);
            }
        } catch (MalformedRecordException e) {
            log.warn("The stored run on {} is not to be understood: {}", service, e.getMessage());
        }
    }

    private void run(@Nullable String service, byte @Nullable [] value, Instant now) {
        if (service == null) {
            metrics.run("malformed");
            return;
        }
        if (value == null) {
            runs.delete(service);
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
            runs.put(service, value);
            service(service).hear(run, now);
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
        byte[] known = runs.get(service);
        return known != null && Long.compareUnsigned(run.epoch(), runReader.read(service, known).epoch()) < 0;
    }

    private List<Said> observation(@Nullable String service, byte @Nullable [] value, Instant now) {
        if (service == null || value == null) {
            metrics.malformedObservation();
            return List.of();
        }
        try {
            var sighting = SightingReader.read(service, value);
            var analysis = service(service);
            metrics.received(analysis.add(sighting, now));
            countGaps(service, analysis);
            return due(analysis, now);
        } catch (MalformedRecordException e) {
            metrics.malformedObservation();
            log.warn("An observation of {} is skipped: {}", service, e.getMessage());
            return List.of();
        }
    }

    private void countGaps(String service, ServiceAnalysis analysis) {
        long now = analysis.gaps();
        long before = Objects.requireNonNullElse(gaps.put(service, now), 0L);
        if (now > before) {
            metrics.missing(now - before);
        }
    }

    private List<Said> due(ServiceAnalysis service, Instant now) {
        var said = new ArrayList<Said>();
        for (Analysis analysis : service.due(now)) {
            metrics.judged(analysis);
            said.add(new Said(VerdictWriter.write(analysis, now)));
        }
        return said;
    }

    private ServiceAnalysis service(String service) {
        return services.computeIfAbsent(service, unused -> newService.get());
    }
}

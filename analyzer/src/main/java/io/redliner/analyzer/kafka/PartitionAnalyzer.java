// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.codec.MalformedRecordException;
import io.redliner.analyzer.codec.ObservationDecoder;
import io.redliner.analyzer.codec.RunSpecDecoder;
import io.redliner.analyzer.codec.VerdictEncoder;
import io.redliner.analyzer.kafka.DeadLetterHandler.Reason;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.state.AnalyzerStateStore;
import io.redliner.analyzer.state.KeyValueTable;
import io.redliner.analyzer.state.TrackedService;
import io.redliner.analyzer.state.UnusableSnapshotException;
import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.Verdict;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Analyses the services of one partition, without Kafka. Records and the time go in, verdicts come out. The same calls with the
 * same instants give byte-equal verdicts, in the same order. For one thread.
 */
public final class PartitionAnalyzer {

    private static final Logger log = LoggerFactory.getLogger(PartitionAnalyzer.class);

    /** Services in the order of their names, so that the verdicts of a tick have a fixed order. */
    private final Map<String, TrackedService> services = new TreeMap<>();

    private final RunSpecDecoder runReader = new RunSpecDecoder();

    private final Supplier<ServiceAnalyzer> newService;

    private final AnalyzerStateStore stateStore;

    private final DeadLetterHandler deadLetters;

    private final AnalyzerMetrics metrics;

    PartitionAnalyzer(Supplier<ServiceAnalyzer> newService, AnalyzerStateStore stateStore,
            DeadLetterHandler deadLetters,
            AnalyzerMetrics metrics) {
        this.newService = newService;
        this.stateStore = stateStore;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
    }

    /**
     * Creates an analyzer with an empty state that lasts as long as this object.
     *
     * @param grace how long after its end a window waits for missing observations
     */
    public static PartitionAnalyzer of(Duration grace, SearchSettings search, AnalyzerMetrics metrics) {
        return withTable(KeyValueTable.inMemory(), grace, search, metrics);
    }

    /**
     * Creates an analyzer that keeps its state in a table, so that another analyzer can {@link #restore} it. Verdicts count as
     * published when they are returned.
     *
     * @param table the state of an earlier analyzer, or empty; it is changed
     * @param grace how long after its end a window waits for missing observations
     */
    public static PartitionAnalyzer over(Map<String, byte[]> table, Duration grace, SearchSettings search,
            AnalyzerMetrics metrics) {
        return withTable(new KeyValueTable.InMemory(table), grace, search, metrics);
    }

    private static PartitionAnalyzer withTable(KeyValueTable table, Duration grace, SearchSettings search,
            AnalyzerMetrics metrics) {
        return new PartitionAnalyzer(() -> service(grace, search),
                new AnalyzerStateStore(table, service -> List.of(), metrics::stateStored),
                (key, value, reason, message) -> log.warn("A record of {} is skipped: {}", key, message), metrics);
    }

    static ServiceAnalyzer service(Duration grace, SearchSettings search) {
        return new ServiceAnalyzer(Duration.ofSeconds(1), grace,
                run -> new NoiseGate(search.with(run.goal())));
    }

    /**
     * Restores the runs that this process or another one has stored.
     *
     * @param catchUp how long incomplete windows wait for records that are still to be read. The wait ends sooner with an
     *            observation of a window that ended after now and whose grace is not over: then all records before it have been
     *            read
     * @return verdicts that were decided and may not have been published
     */
    public List<Verdict> restore(Instant now, Duration catchUp) {
        var verdicts = new ArrayList<Verdict>();
        stateStore.stored().forEach((service, stored) -> {
            var run = stored.run() == null ? null : read(service, stored.run());
            if (run == null || !run.live()) {
                stateStore.forgetState(service);
                return;
            }
            service(service).takenOver(now, catchUp);
            verdicts.addAll(resume(run, stored, now));
        });
        return verdicts;
    }

    /** Processes one record of {@link Topic#OBSERVATIONS} or of {@link Topic#RUNS}. */
    public List<Verdict> record(Topic topic, @Nullable String key, byte @Nullable [] value, Instant now) {
        boolean ofRun = topic == Topic.RUNS;
        if (key == null) {
            refuse(ofRun, null, value, Reason.NO_KEY, "it has no key, so the service is not known");
            return List.of();
        }
        try {
            if (ofRun) {
                run(key, value, now);
                return List.of();
            }
            return observation(key, value, now);
        } catch (MalformedRecordException e) {
            refuse(ofRun, key, value, ofRun ? Reason.MALFORMED_RUN : Reason.MALFORMED_OBSERVATION, messageOf(e));
        } catch (RuntimeException e) {
            log.error("The analysis of {} failed on a record of {}", key, topic, e);
            refuse(ofRun, key, value, Reason.FAILED, e.toString());
            abandonRun(key, now);
        }
        return List.of();
    }

    /** Judges the windows whose grace is over. */
    public List<Verdict> tick(Instant now) {
        var verdicts = new ArrayList<Verdict>();
        for (var service : List.copyOf(services.values())) {
            try {
                verdicts.addAll(due(service, now));
                if (service.isUnsaved()) {
                    stateStore.saveProgress(service);
                }
            } catch (RuntimeException e) {
                log.error("The analysis of {} failed", service.name(), e);
                abandonRun(service.name(), now);
            }
        }
        services.values().removeIf(service -> service.analyzer().idle());
        return verdicts;
    }

    private List<Verdict> resume(RunContext run, AnalyzerStateStore.Stored stored, Instant now) {
        var service = service(run.service());
        try {
            var verdicts = stateStore.resume(service, run, stored, now);
            metrics.takeover("resumed");
            log.info("Run {} on {} goes on here", run.runId(), run.service());
            return verdicts;
        } catch (UnusableSnapshotException e) {
            metrics.takeover("lost");
            log.warn("Run {} on {} is given up: its state cannot be used: {}", run.runId(), run.service(),
                    e.getMessage());
            if (stored.state() != null) {
                park(run.service(), stored.state(), Reason.UNREADABLE_STATE, messageOf(e));
            }
            abandonRun(run.service(), now);
            return List.of();
        }
    }

    private void run(String name, byte @Nullable [] value, Instant now) throws MalformedRecordException {
        if (value == null) {
            stateStore.forgetRun(name);
            service(name).analyzer().forgetRun();
            metrics.noRun(name);
            return;
        }
        var run = runReader.read(name, value, rulesOf(name));
        if (RunSpecDecoder.stale(stateStore.run(name), value)) {
            metrics.runRecord("stale");
            return;
        }
        var service = service(name);
        service.analyzer().update(run, now);
        if (run.live()) {
            stateStore.saveSnapshot(service);
        } else {
            stateStore.forgetState(name);
            metrics.noRun(name);
        }
        // The run is stored last: a process that finds a run without its state gives the run up.
        stateStore.saveRun(name, value);
        metrics.runRecord("accepted");
    }

    /** Returns the compiled rules of the service's present run, which a new record of the run can share. */
    private List<Rule> rulesOf(String name) {
        return Optional.ofNullable(services.get(name)).flatMap(service -> service.analyzer().run())
                .map(run -> run.criteria().all()).orElse(List.of());
    }

    private List<Verdict> observation(String name, byte @Nullable [] value, Instant now)
            throws MalformedRecordException {
        if (value == null) {
            refuse(false, name, null, Reason.NO_VALUE, "an observation has a value");
            return List.of();
        }
        var service = services.get(name);
        boolean live = service != null && service.analyzer().run().isPresent();
        var observation = ObservationDecoder.read(name, value, live);
        if (service == null) {
            service = service(name);
        }
        service.countCollector(observation);
        var ingestResult = service.analyzer().add(observation, now);
        if (ingestResult != IngestResult.EARLY) {
            service.read(observation, now);
        }
        metrics.received(ingestResult);
        metrics.missing(service.newGaps());
        if (live) {
            if (ingestResult == IngestResult.ACCEPTED) {
                stateStore.appendObservation(name, observation.windowStartMillis(), value);
            } else if (ingestResult != IngestResult.AGAIN) {
                service.unsaved(true);
            }
        }
        return due(service, now);
    }

    private List<Verdict> due(TrackedService service, Instant now) {
        var windowResults = service.catchingUp(now)
                ? service.analyzer().dueWhileCatchingUp(now)
                : service.analyzer().due(now);
        var verdicts = new ArrayList<Verdict>();
        for (var windowResult : windowResults) {
            metrics.windowJudged(windowResult);
            verdicts.add(VerdictEncoder.write(windowResult, service.redirectors(now), now));
        }
        if (!verdicts.isEmpty()) {
            stateStore.saveJudged(service, verdicts);
        }
        return verdicts;
    }

    /** Discards the analysis of the service's run, and begins it anew as a run that has lost its state. */
    private void abandonRun(String name, Instant now) {
        services.remove(name);
        byte[] known = stateStore.run(name);
        var run = known == null ? null : read(name, known);
        stateStore.forgetState(name);
        if (run != null && run.live()) {
            var service = service(name);
            service.analyzer().beginLost(run, now);
            stateStore.saveSnapshot(service);
        }
    }

    private @Nullable RunContext read(String service, byte[] run) {
        try {
            return runReader.read(service, run, List.of());
        } catch (MalformedRecordException e) {
            park(service, run, Reason.MALFORMED_RUN, messageOf(e));
            return null;
        }
    }

    private void refuse(boolean ofRun, @Nullable String key, byte @Nullable [] value, Reason reason, String message) {
        if (ofRun) {
            metrics.runRecord("malformed");
        } else {
            metrics.malformedObservation();
        }
        park(key, value, reason, message);
    }

    private void park(@Nullable String key, byte @Nullable [] value, Reason reason, String message) {
        metrics.parked(reason);
        deadLetters.park(key, value, reason, message);
    }

    private static String messageOf(Exception e) {
        return Objects.toString(e.getMessage(), "unknown");
    }

    private TrackedService service(String name) {
        return services.computeIfAbsent(name, unused -> new TrackedService(name, newService.get()));
    }
}

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
import io.redliner.analyzer.state.EncodedVerdict;
import io.redliner.analyzer.state.KeyValueTable;
import io.redliner.analyzer.state.TrackedService;
import io.redliner.analyzer.state.UnusableSnapshotException;
import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.contract.Topic;
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
 * The services of one partition, without Kafka: records and the time go in, verdicts come out. The same calls with the
 * same instants give byte-equal verdicts, in the same order. For one thread.
 */
public final class PartitionAnalyzer {

    private static final Logger log = LoggerFactory.getLogger(PartitionAnalyzer.class);

    /** In the order of their names, so that what is said in one tick has an order too. */
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
     * Of services that nothing is known of; what is learnt of them lasts as long as this object.
     *
     * @param grace how long after its end a window waits for what is missing
     */
    public static PartitionAnalyzer of(Duration grace, SearchSettings search, AnalyzerMetrics metrics) {
        return kept(KeyValueTable.inMemory(), grace, search, metrics);
    }

    /**
     * With what is learnt kept in a table, so that another one can {@link #restore} it. What is said counts as published.
     *
     * @param table what an earlier one kept there, or empty; it is changed
     * @param grace how long after its end a window waits for what is missing
     */
    public static PartitionAnalyzer over(Map<String, byte[]> table, Duration grace, SearchSettings search,
            AnalyzerMetrics metrics) {
        return kept(new KeyValueTable.InMemory(table), grace, search, metrics);
    }

    private static PartitionAnalyzer kept(KeyValueTable table, Duration grace, SearchSettings search,
            AnalyzerMetrics metrics) {
        return new PartitionAnalyzer(() -> service(grace, search),
                new AnalyzerStateStore(table, service -> List.of(), metrics::stored),
                (key, value, reason, words) -> log.warn("A record of {} is skipped: {}", key, words), metrics);
    }

    static ServiceAnalyzer service(Duration grace, SearchSettings search) {
        return new ServiceAnalyzer(Duration.ofSeconds(1), grace, run -> new NoiseGate(search));
    }

    /**
     * Restores what this process or another one has stored.
     *
     * @param catchUp how long incomplete windows wait for records that are still to be read. It ends sooner with an observation of a
     *            window that ended after now and whose grace is not over: then all records before it have been read
     * @return verdicts that were decided, and may not have been published
     */
    public List<EncodedVerdict> restore(Instant now, Duration catchUp) {
        var said = new ArrayList<EncodedVerdict>();
        stateStore.stored().forEach((service, recalled) -> {
            var run = recalled.run() == null ? null : read(service, recalled.run());
            if (run == null || !run.live()) {
                stateStore.forgetState(service);
                return;
            }
            service(service).takenOver(now, catchUp);
            said.addAll(resume(run, recalled, now));
        });
        return said;
    }

    /** Takes one record of {@link Topic#OBSERVATIONS} or of {@link Topic#RUNS}. */
    public List<EncodedVerdict> record(Topic topic, @Nullable String key, byte @Nullable [] value, Instant now) {
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
            refuse(ofRun, key, value, ofRun ? Reason.MALFORMED_RUN : Reason.MALFORMED_OBSERVATION, words(e));
        } catch (RuntimeException e) {
            log.error("The analysis of {} failed on a record of {}", key, topic, e);
            refuse(ofRun, key, value, Reason.FAILED, e.toString());
            abandonRun(key, now);
        }
        return List.of();
    }

    /** Judges the windows whose grace is over. */
    public List<EncodedVerdict> tick(Instant now) {
        var said = new ArrayList<EncodedVerdict>();
        for (var service : List.copyOf(services.values())) {
            try {
                said.addAll(due(service, now));
                if (service.isUnsaved()) {
                    stateStore.saveProgress(service);
                }
            } catch (RuntimeException e) {
                log.error("The analysis of {} failed", service.name(), e);
                abandonRun(service.name(), now);
            }
        }
        services.values().removeIf(service -> service.analysis().idle());
        return said;
    }

    private List<EncodedVerdict> resume(RunContext run, AnalyzerStateStore.Stored recalled, Instant now) {
        var service = service(run.service());
        try {
            var said = stateStore.resume(service, run, recalled, now);
            metrics.taken("resumed");
            log.info("Run {} on {} goes on here", run.runId(), run.service());
            return said;
        } catch (UnusableSnapshotException e) {
            metrics.taken("lost");
            log.warn("Run {} on {} is given up: its state cannot be used: {}", run.runId(), run.service(),
                    e.getMessage());
            if (recalled.state() != null) {
                park(run.service(), recalled.state(), Reason.UNREADABLE_STATE, words(e));
            }
            abandonRun(run.service(), now);
            return List.of();
        }
    }

    private void run(String name, byte @Nullable [] value, Instant now) throws MalformedRecordException {
        if (value == null) {
            stateStore.forgetRun(name);
            service(name).analysis().forgetRun();
            metrics.noRun(name);
            return;
        }
        var run = runReader.read(name, value, rulesOf(name));
        if (RunSpecDecoder.stale(stateStore.run(name), value)) {
            metrics.run("stale");
            return;
        }
        var service = service(name);
        service.analysis().hear(run, now);
        if (run.live()) {
            stateStore.saveSnapshot(service);
        } else {
            stateStore.forgetState(name);
            metrics.noRun(name);
        }
        // Last: a process that finds a run without its state gives the run up.
        stateStore.saveRun(name, value);
        metrics.run("accepted");
    }

    /** Of the run that is known there. */
    private List<Rule> rulesOf(String name) {
        return Optional.ofNullable(services.get(name)).flatMap(service -> service.analysis().run())
                .map(run -> run.criteria().all()).orElse(List.of());
    }

    private List<EncodedVerdict> observation(String name, byte @Nullable [] value, Instant now)
            throws MalformedRecordException {
        if (value == null) {
            refuse(false, name, null, Reason.NO_VALUE, "an observation has a value");
            return List.of();
        }
        var service = services.get(name);
        boolean live = service != null && service.analysis().run().isPresent();
        var observation = ObservationDecoder.read(name, value, live);
        if (service == null) {
            service = service(name);
        }
        service.seen(observation);
        var reception = service.analysis().add(observation, now);
        if (reception != IngestResult.EARLY) {
            service.read(observation, now);
        }
        metrics.received(reception);
        metrics.missing(service.newGaps());
        if (live) {
            if (reception == IngestResult.ACCEPTED) {
                stateStore.appendObservation(name, observation.windowStartMillis(), value);
            } else if (reception != IngestResult.AGAIN) {
                service.unsaved(true);
            }
        }
        return due(service, now);
    }

    private List<EncodedVerdict> due(TrackedService service, Instant now) {
        var analyses = service.catchingUp(now)
                ? service.analysis().dueWhileCatchingUp(now)
                : service.analysis().due(now);
        var said = new ArrayList<EncodedVerdict>();
        for (var analysis : analyses) {
            metrics.judged(analysis);
            said.add(new EncodedVerdict(VerdictEncoder.write(analysis, service.redirectors(now), now)));
        }
        if (!said.isEmpty()) {
            stateStore.saveJudged(service, said);
        }
        return said;
    }

    /** Whatever is known of the run on a service is not to be relied on. */
    private void abandonRun(String name, Instant now) {
        services.remove(name);
        byte[] known = stateStore.run(name);
        var run = known == null ? null : read(name, known);
        stateStore.forgetState(name);
        if (run != null && run.live()) {
            var service = service(name);
            service.analysis().recall(run, now);
            stateStore.saveSnapshot(service);
        }
    }

    private @Nullable RunContext read(String service, byte[] run) {
        try {
            return runReader.read(service, run, List.of());
        } catch (MalformedRecordException e) {
            park(service, run, Reason.MALFORMED_RUN, words(e));
            return null;
        }
    }

    private void refuse(boolean ofRun, @Nullable String key, byte @Nullable [] value, Reason reason, String words) {
        if (ofRun) {
            metrics.run("malformed");
        } else {
            metrics.malformedObservation();
        }
        park(key, value, reason, words);
    }

    private void park(@Nullable String key, byte @Nullable [] value, Reason reason, String words) {
        metrics.parked(reason);
        deadLetters.park(key, value, reason, words);
    }

    private static String words(Exception e) {
        return Objects.toString(e.getMessage(), "unknown");
    }

    private TrackedService service(String name) {
        return services.computeIfAbsent(name, unused -> new TrackedService(name, newService.get()));
    }
}

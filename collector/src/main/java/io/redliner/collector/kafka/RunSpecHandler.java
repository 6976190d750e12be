// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.RunSpecs;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the records of the runs topic to the windows, in the order that {@link RunSpecs} accepts. */
final class RunSpecHandler {

    private static final Logger log = LoggerFactory.getLogger(RunSpecHandler.class);

    private static final String RECORDS = "redliner.collector.runs";

    /** Maximum number of services that are kept. Beyond it, the service with the oldest last record is removed. */
    static final int MAX_SERVICES = 10_000;

    private final WindowAggregator windows;

    /** The ordering fields of the last accepted record, by service; the oldest record first. */
    private final Map<String, RunSpec> runs = new LinkedHashMap<>();

    private final Counter applied;

    private final Counter stale;

    private final Counter malformed;

    RunSpecHandler(WindowAggregator windows, MeterRegistry registry) {
        this.windows = windows;
        applied = registry.counter(RECORDS, "result", "applied");
        stale = registry.counter(RECORDS, "result", "stale");
        malformed = registry.counter(RECORDS, "result", "malformed");
    }

    /**
     * Applies one record.
     *
     * @param service the record's key
     * @param value a {@link RunSpec}, or null when the service has been deleted
     */
    void apply(String service, byte @Nullable [] value, Instant now) {
        if (value == null) {
            runs.remove(service);
            windows.noRun(service, now);
            applied.increment();
            return;
        }
        try {
            RunSpec run = RunSpec.parseFrom(value);
            RunSpecs.validate(service, run);
            apply(run, now);
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            // A record can be anything: it ends itself, and never the reading of the others.
            malformed.increment();
            // Fewer and fewer lines, so that many such records do not fill a disk.
            if (Long.bitCount(malformed()) == 1) {
                log.warn("A record of service {} is not to be understood, {} so far: {}", service, malformed(),
                        e.getMessage());
            }
        }
    }

    private void apply(RunSpec run, Instant now) {
        switch (RunSpecs.order(runs.get(run.getService()), run)) {
            case EPOCH_JUMP -> throw new IllegalArgumentException(
                    "epoch " + Long.toUnsignedString(run.getEpoch()) + " is one that no controller issues");
            case STALE -> {
                stale.increment();
                return;
            }
            case NEWEST -> {
            }
        }
        if (run.getPhase() == RunPhase.RUN_PHASE_FINISHED) {
            windows.noRun(run.getService(), now);
        } else {
            windows.run(run.getService(), new RunWindowSettings(Duration.ofMillis(run.getWindowLengthMs()), run
                    .getOverdueLimitsMicrosList().stream().map(limit -> Duration.ofNanos(limit * 1_000)).toList()),
                    now);
        }
        keep(run, now);
        applied.increment();
    }

    private void keep(RunSpec run, Instant now) {
        runs.remove(run.getService());
        runs.put(run.getService(), RunSpec.newBuilder().setService(run.getService()).setRunId(run.getRunId())
                .setEpoch(run.getEpoch()).setPhase(run.getPhase()).build());
        if (runs.size() > MAX_SERVICES) {
            String oldest = runs.keySet().iterator().next();
            runs.remove(oldest);
            windows.noRun(oldest, now);
        }
    }

    /** Returns the number of services whose records are kept. */
    int services() {
        return runs.size();
    }

    long applied() {
        return (long) applied.count();
    }

    long stale() {
        return (long) stale.count();
    }

    long malformed() {
        return (long) malformed.count();
    }
}

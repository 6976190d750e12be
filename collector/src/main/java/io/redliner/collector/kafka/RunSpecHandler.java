// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the records of the runs topic to the windows. A record with a lower epoch than one seen is not obeyed. */
final class RunSpecHandler {

    private static final Logger log = LoggerFactory.getLogger(RunSpecHandler.class);

    private static final String RECORDS = "redliner.collector.runs";

    private final WindowAggregator windows;

    private final Map<String, Long> epochs = new HashMap<>();

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
            windows.noRun(service, now);
            applied.increment();
            return;
        }
        try {
            apply(RunSpec.parseFrom(value), now);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            malformed.increment();
            log.warn("A record of service {} is not to be understood: {}", service, e.getMessage());
        }
    }

    private void apply(RunSpec run, Instant now) {
        long epoch = run.getEpoch();
        if (Long.compareUnsigned(epoch, epochs.getOrDefault(run.getService(), 0L)) < 0) {
            stale.increment();
            return;
        }
        if (run.getPhase() == RunPhase.RUN_PHASE_FINISHED) {
            windows.noRun(run.getService(), now);
        } else {
            windows.run(run.getService(), new RunWindowSettings(Duration.ofMillis(run.getWindowLengthMs()), run
                    .getOverdueLimitsMicrosList().stream().map(limit -> Duration.ofNanos(limit * 1_000)).toList()),
                    now);
        }
        epochs.put(run.getService(), epoch);
        applied.increment();
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

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the records of the runs topic to the windows. A record with a lower epoch than one seen is not obeyed. */
final class RunSpecHandler {

    private static final Logger log = LoggerFactory.getLogger(RunSpecHandler.class);

    private final WindowAggregator windows;

    private final Map<String, Long> epochs = new HashMap<>();

    private final AtomicLong applied = new AtomicLong();

    private final AtomicLong stale = new AtomicLong();

    private final AtomicLong malformed = new AtomicLong();

    RunSpecHandler(WindowAggregator windows) {
        this.windows = windows;
    }

    /**
     * Applies one record.
     *
     * @param service the record's key
     * @param value a {@link RunSpec}, or null when the service has been deleted
     */
    void apply(String service, byte @Nullable [] value, Instant now) {
        if (value == null) {
            windows.unfocus(service, now);
            applied.incrementAndGet();
            return;
        }
        try {
            apply(RunSpec.parseFrom(value), now);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            malformed.incrementAndGet();
            log.warn("A record of service {} is not to be understood: {}", service, e.getMessage());
        }
    }

    private void apply(RunSpec run, Instant now) {
        long epoch = run.getEpoch();
        if (Long.compareUnsigned(epoch, epochs.getOrDefault(run.getService(), 0L)) < 0) {
            stale.incrementAndGet();
            return;
        }
        if (run.getPhase() == RunPhase.RUN_PHASE_FINISHED) {
            windows.unfocus(run.getService(), now);
        } else {
            windows.focus(run.getService(), new RunWindowSettings(Duration.ofMillis(run.getWindowLengthMs()), run
                    .getOverdueLimitsMicrosList().stream().map(limit -> Duration.ofNanos(limit * 1_000)).toList()),
                    now);
        }
        epochs.put(run.getService(), epoch);
        applied.incrementAndGet();
    }

    long applied() {
        return applied.get();
    }

    long stale() {
        return stale.get();
    }

    long malformed() {
        return malformed.get();
    }
}

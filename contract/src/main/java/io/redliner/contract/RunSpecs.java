// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decides which records of the topic of runs are accepted. Any client with access to the topic may have written one. */
public final class RunSpecs {

    private static final Duration MIN_WINDOW = Duration.ofMillis(10);

    private static final Duration MAX_WINDOW = Duration.ofMinutes(10);

    /** The last millisecond of the year 9999. */
    public static final long MAX_MILLIS = 253_402_300_799_999L;

    private static final long MAX_LIMIT_MICROS = 1_000_000_000_000L;

    private static final int MAX_NAME_LENGTH = 4_096;

    private static final int MAX_RULES = 1_000;

    private static final int MAX_INSTANCES = 10_000;

    private RunSpecs() {}

    /** The order of a record and the last accepted one of its service. */
    public enum Order {
        /** It is the newest. */
        NEWEST,
        /** A controller that lost its run wrote it. */
        STALE,
        /** Its epoch is further above the known one than any controller makes it. */
        EPOCH_JUMP
    }

    /**
     * Compares a record with the last accepted one of its service. A lower epoch is stale while that run is live, and always when
     * it is of the same run. After the end of a run, the record of another run is accepted whatever its epoch: a forged end must
     * not hide later runs.
     *
     * @param known the last record that was accepted; null when there is none, or when it was deleted
     */
    public static Order order(@Nullable RunSpec known, RunSpec next) {
        long epoch = known == null ? 0 : known.getEpoch();
        if (Long.compareUnsigned(next.getEpoch(), epoch + Epochs.MAX_JUMP) > 0) {
            return Order.EPOCH_JUMP;
        }
        boolean fenced = known != null && (known.getPhase() != RunPhase.RUN_PHASE_FINISHED
                || known.getRunId().equals(next.getRunId()));
        return fenced && Long.compareUnsigned(next.getEpoch(), epoch) < 0 ? Order.STALE : Order.NEWEST;
    }

    /**
     * Requires that the numbers and sizes of a record are within bounds.
     *
     * @param key of the record: the service
     * @throws IllegalArgumentException when the key is another one, or a number or a size is out of bounds
     */
    public static void validate(String key, RunSpec run) {
        if (!run.getService().equals(key)) {
            throw new IllegalArgumentException(
                    "a run on service '" + run.getService() + "' under the key '" + key + "'");
        }
        within("characters of service, run_id or sut",
                Math.max(key.length(), Math.max(run.getRunId().length(), run.getSut().length())), 0, MAX_NAME_LENGTH);
        within("started_at_ms", run.getStartedAtMs(), 0, MAX_MILLIS);
        within("turns_back_at_ms", run.getTurnsBackAtMs(), 0, MAX_MILLIS);
        within("rules", run.getSlaCount() + (long) run.getGuardsCount(), 0, MAX_RULES);
        within("instances", run.getInstancesCount(), 0, MAX_INSTANCES);
        run.getOverdueLimitsMicrosList().forEach(limit -> within("overdue_limits_micros", limit, 1, MAX_LIMIT_MICROS));
        // What is over need not be judged, so it may lack everything but its name.
        if (run.getPhase() != RunPhase.RUN_PHASE_FINISHED) {
            within("window_length_ms", run.getWindowLengthMs(), MIN_WINDOW.toMillis(), MAX_WINDOW.toMillis());
        }
    }

    private static void within(String field, long number, long min, long max) {
        if (number < min || number > max) {
            throw new IllegalArgumentException(field + " is " + number + ", not " + min + " to " + max);
        }
    }
}

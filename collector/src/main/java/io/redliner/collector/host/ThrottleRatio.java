// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of its quota's periods in which a control group had to wait. A period is mostly 100 ms. When none ended between two
 * polls, they are merged with the next.
 */
final class ThrottleRatio {

    /** After this time without a period, the group did not want to run. */
    private static final Duration ASLEEP = Duration.ofSeconds(1);

    private CpuCgroup.@Nullable Usage baseUsage;

    private Instant at = Instant.MIN;

    /** Returns the part, with the start of its time; empty when there is none yet. */
    Optional<Part> read(CpuCgroup.Usage now, Instant time) {
        if (baseUsage == null || now.periods() < baseUsage.periods() || now.throttled() < baseUsage.throttled()
                || !at.isBefore(time)) {
            begin(now, time);
            return Optional.empty();
        }
        long periods = now.periods() - baseUsage.periods();
        if (periods == 0 && time.isBefore(at.plus(ASLEEP))) {
            return Optional.empty();
        }
        var part = new Part(periods == 0 ? 0 : (double) (now.throttled() - baseUsage.throttled()) / periods, at);
        begin(now, time);
        return Optional.of(part);
    }

    private void begin(CpuCgroup.Usage now, Instant time) {
        baseUsage = now;
        at = time;
    }

    /** A part between 0 and 1, since {@code from}. */
    record Part(double value, Instant from) {}
}

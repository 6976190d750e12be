// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Limits how often expensive work is done. */
public final class IntervalTimer {

    private @Nullable Instant last;

    /**
     * Returns whether at least nine tenths of the interval have passed since the last call that returned true, and begins the
     * next interval then.
     */
    public boolean due(Instant now, Duration interval) {
        if (last != null && !now.isBefore(last) && now.isBefore(last.plus(interval.multipliedBy(9).dividedBy(10)))) {
            return false;
        }
        last = now;
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The pace of what is too dear for each look. */
public final class IntervalTimer {

    private @Nullable Instant last;

    /** Whether it is time again; then the next time is an interval later, of which a tenth may be missing. */
    public boolean due(Instant now, Duration interval) {
        if (last != null && !now.isBefore(last) && now.isBefore(last.plus(interval.multipliedBy(9).dividedBy(10)))) {
            return false;
        }
        last = now;
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The requests of one instance that were in flight at the end of one window, and those that were and ended in it. */
final class Hanging {

    private final List<Duration> limits;

    private final long[] newlyOverdue;

    private final long[] settled;

    private long inFlight;

    Hanging(List<Duration> limits) {
        this.limits = limits;
        newlyOverdue = new long[limits.size()];
        settled = new long[limits.size()];
    }

    void count(InFlightRequest request, Instant windowEnd) {
        if (request.inFlightAt(windowEnd)) {
            inFlight++;
            for (int index = 0; index < limits.size(); index++) {
                newlyOverdue[index] += request.passes(limits.get(index), windowEnd) ? 1 : 0;
            }
        } else {
            for (int index = 0; index < limits.size(); index++) {
                settled[index] += request.settles(limits.get(index)) ? 1 : 0;
            }
        }
    }

    long inFlight() {
        return inFlight;
    }

    List<OverdueCount> overdue() {
        List<OverdueCount> counts = new ArrayList<>(limits.size());
        for (int index = 0; index < limits.size(); index++) {
            counts.add(new OverdueCount(limits.get(index), newlyOverdue[index], settled[index]));
        }
        return counts;
    }
}

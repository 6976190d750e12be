// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts one instance's requests in flight at the end of one window, and its overdue requests for each latency limit. Counted apart
 * are those that passed the limit in the window while still in flight, and those that had been overdue before and ended in it.
 */
final class InFlightCounts {

    private final List<Duration> limits;

    private final long[] limitMicros;

    private final long[] newlyOverdue;

    private final long[] settled;

    private long inFlight;

    /** @param limitMicros the limits in microseconds, in the same order */
    InFlightCounts(List<Duration> limits, long[] limitMicros) {
        this.limits = limits;
        this.limitMicros = limitMicros;
        newlyOverdue = new long[limits.size()];
        settled = new long[limits.size()];
    }

    /**
     * Counts a request that is in flight at the end of the window, or ended in it.
     *
     * @param windowEnd in microseconds since the epoch
     */
    void count(InFlightRequest request, long windowEnd) {
        if (request.inFlightAt(windowEnd)) {
            inFlight += request.weight();
            for (int index = 0; index < newlyOverdue.length; index++) {
                newlyOverdue[index] += request.passes(index, limitMicros[index], windowEnd) ? request.weight() : 0;
            }
        } else {
            for (int index = 0; index < settled.length; index++) {
                settled[index] += request.settles(index) ? request.weight() : 0;
            }
        }
    }

    long inFlight() {
        return inFlight;
    }

    /** Returns one count for each limit. */
    List<OverdueCount> overdue() {
        List<OverdueCount> counts = new ArrayList<>(limits.size());
        for (int index = 0; index < newlyOverdue.length; index++) {
            counts.add(new OverdueCount(limits.get(index), newlyOverdue[index], settled[index]));
        }
        return counts;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;

/** When the collector could not measure well. For any thread. */
final class Impairments {

    private static final int MOST = 1_000;

    private final Deque<Time> times = new ArrayDeque<>();

    synchronized void add(Impairment impairment, Instant from, Instant to) {
        if (times.size() >= MOST) {
            times.removeFirst();
        }
        times.addLast(new Time(impairment, from.toEpochMilli(), to.toEpochMilli()));
    }

    /** Those that touch a window; its end is exclusive. */
    synchronized Set<Impairment> in(long start, long end) {
        Set<Impairment> found = EnumSet.noneOf(Impairment.class);
        for (Time time : times) {
            if (time.to() >= start && time.from() < end) {
                found.add(time.impairment());
            }
        }
        return found;
    }

    /** Nobody asks for windows that end before then any more. */
    synchronized void forgetBefore(long time) {
        times.removeIf(impaired -> impaired.to() < time);
    }

    private record Time(Impairment impairment, long from, long to) {}
}

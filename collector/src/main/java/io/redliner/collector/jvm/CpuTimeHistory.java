// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** What CPU time the process had used at each of the last looks. */
final class CpuTimeHistory {

    private static final int MAX_SAMPLES = 256;

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Adds a look: the CPU time is read first. */
    void add(double cpuSeconds, double uptimeMillis) {
        if (samples.size() == MAX_SAMPLES) {
            samples.removeFirst();
        }
        samples.addLast(new Sample(cpuSeconds, uptimeMillis));
    }

    /**
     * At most as much CPU time as the process has used since a time that a look came before; NaN when none did.
     *
     * @param uptimeMillis since the JVM began
     */
    double usedSince(double uptimeMillis) {
        Iterator<Sample> newestFirst = samples.descendingIterator();
        while (newestFirst.hasNext()) {
            Sample sample = newestFirst.next();
            if (sample.uptimeMillis() <= uptimeMillis) {
                return samples.getLast().cpuSeconds() - sample.cpuSeconds();
            }
        }
        return Double.NaN;
    }

    private record Sample(double cpuSeconds, double uptimeMillis) {}
}

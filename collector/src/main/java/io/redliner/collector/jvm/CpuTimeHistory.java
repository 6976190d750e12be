// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** The CPU time that the process had used at each of the last polls. */
final class CpuTimeHistory {

    private static final int MAX_SAMPLES = 256;

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Adds a poll, in which the CPU time was read before the uptime. */
    void add(double cpuSeconds, double uptimeMillis) {
        if (samples.size() == MAX_SAMPLES) {
            samples.removeFirst();
        }
        samples.addLast(new Sample(cpuSeconds, uptimeMillis));
    }

    /**
     * Returns an upper bound of the CPU time that the process has used since a time; NaN when no poll came before that time.
     *
     * @param uptimeMillis the time, since the JVM began
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

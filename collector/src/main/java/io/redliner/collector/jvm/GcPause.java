// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

/**
 * A stop of all threads of a JVM.
 *
 * @param id of the collection, in order of its collector
 * @param beginMillis since the JVM began
 * @param endMillis since the JVM began; JMX knows no finer time
 */
record GcPause(long id, long beginMillis, long endMillis) {

    /** The cause of shorter stops is not examined: the CPU time is not known finely enough. */
    private static final double LONG_SECONDS = 0.1;

    /**
     * The ratio of CPU time to length up to which a process stood still. A process that runs through a stop uses at least as much
     * CPU time as the stop lasts.
     */
    private static final double STOOD_STILL = 0.2;

    double seconds() {
        return (endMillis - beginMillis) / 1e3;
    }

    static GcPause longer(GcPause one, GcPause other) {
        return one.seconds() >= other.seconds() ? one : other;
    }

    /**
     * Returns whether the operating system caused a standstill: it is long, and the process used hardly any CPU time in it.
     *
     * @param cpuSeconds CPU time that the process used meanwhile; with NaN, which means unknown, the result is false
     */
    static boolean osCaused(double seconds, double cpuSeconds) {
        return seconds >= LONG_SECONDS && cpuSeconds <= STOOD_STILL * seconds;
    }
}

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

    /** Shorter ones are not looked into: the CPU time is not known finely enough. */
    private static final double LONG_SECONDS = 0.1;

    /** Of its length; a process that runs at all through a stop uses at least as much CPU time as it lasts. */
    private static final double STOOD_STILL = 0.2;

    double seconds() {
        return (endMillis - beginMillis) / 1e3;
    }

    static GcPause longer(GcPause one, GcPause other) {
        return one.seconds() >= other.seconds() ? one : other;
    }

    /**
     * Whether the operating system is the cause of a standstill: it is long, and the process used hardly any CPU time in it.
     *
     * @param cpuSeconds that the process used meanwhile; NaN: not known, then it is not
     */
    static boolean osCaused(double seconds, double cpuSeconds) {
        return seconds >= LONG_SECONDS && cpuSeconds <= STOOD_STILL * seconds;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

/** Kinds of garbage collector beans, by whether their times are stops and their counts collections. */
enum GcBeanKind {
    /** The collector stops all threads, and each stop is a collection. */
    STOPPING,
    /** The bean counts the stops within the concurrent collections of another bean. */
    STOPS_ONLY,
    /** The collector works beside the threads: its times are no pauses. */
    CONCURRENT;

    /**
     * Returns the kind for a bean's name, which alone tells them apart. "G1 Concurrent GC" has the Remark and Cleanup pauses
     * (since Java 20), in spite of its name.
     */
    static GcBeanKind of(String name) {
        if (name.endsWith(" Cycles") || name.equals("ZGC") || name.equals("ConcurrentMarkSweep")) {
            return CONCURRENT;
        }
        return name.endsWith(" Pauses") || name.equals("G1 Concurrent GC") ? STOPS_ONLY : STOPPING;
    }

    boolean stops() {
        return this != CONCURRENT;
    }

    boolean collects() {
        return this != STOPS_ONLY;
    }
}

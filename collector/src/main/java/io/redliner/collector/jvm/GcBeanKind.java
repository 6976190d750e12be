// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

/** What the figures of a garbage collector's bean are of. */
enum GcBeanKind {
    /** It stops all threads, and each stop is a collection. */
    STOPPING,
    /** The stops within the concurrent work of another bean's collections. */
    STOPS_ONLY,
    /** It works beside the threads: its times are no pauses. */
    CONCURRENT;

    /**
     * By the name of the bean, which is all that tells them apart. "G1 Concurrent GC" is of the Remark and Cleanup pauses
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

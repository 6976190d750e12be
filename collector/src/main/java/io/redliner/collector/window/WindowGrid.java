// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.util.Map;
import java.util.TreeMap;

/**
 * Cuts time into aligned windows whose length may change, always at a boundary that both lengths share. Times and
 * lengths are milliseconds; times since the epoch.
 */
final class WindowGrid {

    private final long coarsest;

    /** The length from a time on. */
    private final TreeMap<Long, Long> lengths = new TreeMap<>();

    WindowGrid(long coarsest) {
        this.coarsest = coarsest;
        lengths.put(Long.MIN_VALUE, coarsest);
    }

    /** The start of the window that the time is in. */
    long startOf(long time) {
        return Math.floorDiv(time, lengthAt(time)) * lengthAt(time);
    }

    /** The end, exclusive, of the window that the time is in. */
    long endOf(long time) {
        return startOf(time) + lengthAt(time);
    }

    /** The length of the windows at the time. */
    long lengthAt(long time) {
        return lengths.floorEntry(time).getValue();
    }

    /**
     * Cuts windows of another length from the next common boundary on.
     *
     * @param length a divisor of the coarsest length
     * @param notBefore no window that begins earlier changes
     */
    void change(long length, long notBefore) {
        if (coarsest % length != 0) {
            throw new IllegalArgumentException(length + " ms do not divide " + coarsest + " ms");
        }
        if (lengths.lastEntry().getValue() == length) {
            return;
        }
        long from = Math.ceilDiv(Math.max(notBefore, lengths.lastKey()), coarsest) * coarsest;
        lengths.put(from, length);
    }

    /** Nobody will ask for times before this one any more. */
    void forgetBefore(long time) {
        Map.Entry<Long, Long> current = lengths.floorEntry(time);
        lengths.headMap(current.getKey(), false).clear();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.Map;
import java.util.TreeMap;

/**
 * Cuts time into aligned windows whose length may change, always at a boundary that both lengths share. Times and
 * lengths are milliseconds; times since the epoch.
 */
final class TumblingWindows {

    /** A change of the length takes effect within this time, or a shorter length that divides both is used. */
    private static final long MAX_CHANGE_DELAY_MILLIS = 60_000;

    /** The length that applies from each time on. */
    private final TreeMap<Long, Long> lengths = new TreeMap<>();

    /** The start of the window that was found last: callers nearly always ask for it again. */
    private long start;

    private long end;

    TumblingWindows(long length) {
        lengths.put(Long.MIN_VALUE, length);
    }

    /** Returns the start of the window that the time is in. */
    long startOf(long time) {
        if (time < start || time >= end) {
            long length = lengthAt(time);
            start = Math.floorDiv(time, length) * length;
            end = start + length;
        }
        return start;
    }

    /** Returns the end, exclusive, of the window that the time is in. */
    long endOf(long time) {
        startOf(time);
        return end;
    }

    /** Returns the length of the windows at the time. */
    long lengthAt(long time) {
        return lengths.floorEntry(time).getValue();
    }

    /** Returns the length of the windows once a pending change is done. */
    long lastLength() {
        return lengths.lastEntry().getValue();
    }

    /**
     * Cuts windows of another length from the next common boundary on.
     *
     * @param length above 0
     * @param notBefore no window that begins earlier changes
     */
    void change(long length, long notBefore) {
        long before = lastLength();
        if (before == length) {
            return;
        }
        long both = commonMultiple(before, length);
        lengths.put(Math.ceilDiv(Math.max(notBefore, lengths.lastKey()), both) * both, length);
        start = 0;
        end = 0;
    }

    /**
     * Returns the requested length, unless its windows would have to wait too long for a boundary that they share with the
     * windows before. Then it is the longest length that divides both, or, when that is too short, the length before.
     */
    long nearest(long wanted) {
        long before = lastLength();
        long shortest = WindowSettings.MIN_LENGTH.toMillis();
        if (wanted >= shortest && commonMultiple(before, wanted) <= MAX_CHANGE_DELAY_MILLIS) {
            return wanted;
        }
        long divisor = commonDivisor(before, wanted);
        return divisor >= shortest ? divisor : before;
    }

    /** Forgets the lengths of times before this one. */
    void forgetBefore(long time) {
        Map.Entry<Long, Long> current = lengths.floorEntry(time);
        lengths.headMap(current.getKey(), false).clear();
    }

    /** Returns the shortest time that is tiled by windows of either length. */
    private static long commonMultiple(long one, long other) {
        return one / commonDivisor(one, other) * other;
    }

    /** Returns the longest windows that tile those of either length. */
    private static long commonDivisor(long one, long other) {
        long larger = one;
        long smaller = other;
        while (smaller > 0) {
            long rest = larger % smaller;
            larger = smaller;
            smaller = rest;
        }
        return larger;
    }
}

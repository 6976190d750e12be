// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import java.util.BitSet;
import java.util.TreeMap;

/**
 * Allocates slots for the observations of a service's open windows. Slots are reused, so that nothing has to be deleted while a run
 * is live: each stored observation contains its window. For one thread.
 */
final class SlotAllocator {

    private final BitSet taken = new BitSet();

    private final TreeMap<Long, BitSet> byWindow = new TreeMap<>();

    private int everTaken;

    /** Allocates a free slot for an observation of a window. */
    int take(long windowStartMillis) {
        int slot = taken.nextClearBit(0);
        take(slot, windowStartMillis);
        return slot;
    }

    /** Marks a slot as taken by a stored observation of a window. */
    void take(int slot, long windowStartMillis) {
        taken.set(slot);
        byWindow.computeIfAbsent(windowStartMillis, unused -> new BitSet()).set(slot);
        known(slot);
    }

    /** Marks a slot as used before; its observation may be overwritten. */
    void known(int slot) {
        everTaken = Math.max(everTaken, slot + 1);
    }

    /** Frees the slots of windows before this one. */
    void freeBefore(long windowStartMillis) {
        var judged = byWindow.headMap(windowStartMillis);
        judged.values().forEach(taken::andNot);
        judged.clear();
    }

    /** Returns the number of slots that may contain an observation. */
    int everTaken() {
        return everTaken;
    }
}

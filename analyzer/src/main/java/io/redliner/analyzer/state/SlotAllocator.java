// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import java.util.BitSet;
import java.util.TreeMap;

/**
 * Places for the observations of a service's open windows. They are used again and again, so that nothing has to be
 * deleted while a run is live: what is in a place says itself of which window it is. For one thread.
 */
final class SlotAllocator {

    private final BitSet taken = new BitSet();

    private final TreeMap<Long, BitSet> byWindow = new TreeMap<>();

    private int everTaken;

    /** A free place for an observation of a window. */
    int take(long windowStartMillis) {
        int slot = taken.nextClearBit(0);
        take(slot, windowStartMillis);
        return slot;
    }

    /** This place is known to hold one. */
    void take(int slot, long windowStartMillis) {
        taken.set(slot);
        byWindow.computeIfAbsent(windowStartMillis, unused -> new BitSet()).set(slot);
        known(slot);
    }

    /** This place is known to hold one that is of no use any more. */
    void known(int slot) {
        everTaken = Math.max(everTaken, slot + 1);
    }

    /** The windows before this one are judged. */
    void freeBefore(long windowStartMillis) {
        var judged = byWindow.headMap(windowStartMillis);
        judged.values().forEach(taken::andNot);
        judged.clear();
    }

    /** All places below this one may hold something. */
    int everTaken() {
        return everTaken;
    }
}

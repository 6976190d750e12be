// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tallies of one service in its windows that are not sealed yet, by start in milliseconds and by instance. */
final class OpenWindows {

    private final TreeMap<Long, Map<String, Tally>> byStart = new TreeMap<>();

    Tally tally(long windowStart, String instance) {
        return byStart.computeIfAbsent(windowStart, start -> new HashMap<>())
                .computeIfAbsent(instance, name -> new Tally());
    }

    /** Takes out the window that begins then. */
    Map<String, Tally> take(long windowStart) {
        Map<String, Tally> taken = byStart.remove(windowStart);
        return taken == null ? new HashMap<>() : taken;
    }

    /** Takes out all windows that begin before the time. */
    List<Tally> takeBefore(long time) {
        Map<Long, Map<String, Tally>> before = byStart.headMap(time, false);
        List<Tally> taken = before.values().stream().flatMap(window -> window.values().stream()).toList();
        before.clear();
        return taken;
    }

    /** The start of the newest window that anything is in, or the given one when that is newer. */
    long newest(long atLeast) {
        return byStart.isEmpty() ? atLeast : Math.max(atLeast, byStart.lastKey());
    }

    long pending(RecordKind kind) {
        return byStart.values().stream().flatMap(window -> window.values().stream())
                .mapToLong(tally -> kind == RecordKind.START ? tally.started() : tally.completed()).sum();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The counts of one service in its windows that are not closed yet, by start in milliseconds and by instance. */
final class OpenWindows {

    private final String service;

    private final HistogramPool histograms;

    /** The start of the first window that keeps the times of requests. */
    private long timedFrom = Long.MAX_VALUE;

    /** The windows by start, oldest first; nearly always one or two. */
    private final List<OpenWindow> windows = new ArrayList<>();

    OpenWindows(String service, HistogramPool histograms) {
        this.service = service;
        this.histograms = histograms;
    }

    /** Keeps the times of requests in windows from this start on. */
    void time(long from) {
        timedFrom = from;
    }

    /** Returns whether the window with this start keeps the times of its requests. */
    boolean isTimed(long windowStart) {
        return windowStart >= timedFrom;
    }

    /** Returns counts of nothing yet, for an instance in a window. */
    WindowCounts empty(long windowStart, String instance) {
        return new WindowCounts(new InstanceId(service, instance), Instant.ofEpochMilli(windowStart),
                isTimed(windowStart) ? histograms : null);
    }

    /** Returns the counts of an instance in a window. */
    WindowCounts counts(long windowStart, String instance) {
        Map<String, WindowCounts> byInstance = window(windowStart).byInstance();
        WindowCounts counts = byInstance.get(instance);
        if (counts == null) {
            counts = empty(windowStart, instance);
            byInstance.put(instance, counts);
        }
        return counts;
    }

    private OpenWindow window(long start) {
        int index = windows.size() - 1;
        while (index >= 0 && windows.get(index).start() > start) {
            index--;
        }
        if (index >= 0 && windows.get(index).start() == start) {
            return windows.get(index);
        }
        OpenWindow window = new OpenWindow(start, new HashMap<>());
        windows.add(index + 1, window);
        return window;
    }

    /** Removes and returns the window with this start. */
    Map<String, WindowCounts> take(long windowStart) {
        for (int index = 0; index < windows.size(); index++) {
            if (windows.get(index).start() == windowStart) {
                return windows.remove(index).byInstance();
            }
        }
        return new HashMap<>();
    }

    /** Removes and returns all windows that begin before the time. */
    List<WindowCounts> takeBefore(long time) {
        List<WindowCounts> taken = windows.stream().filter(window -> window.start() < time)
                .flatMap(window -> window.byInstance().values().stream()).toList();
        windows.removeIf(window -> window.start() < time);
        return taken;
    }

    /** Returns the start of the newest window with a record, or the given one when that is newer. */
    long newest(long min) {
        return windows.isEmpty() ? min : Math.max(min, windows.getLast().start());
    }

    boolean isEmpty() {
        return windows.isEmpty();
    }

    long pending(RecordKind kind) {
        return windows.stream().flatMap(window -> window.byInstance().values().stream())
                .mapToLong(counts -> counts.records(kind)).sum();
    }

    private record OpenWindow(long start, Map<String, WindowCounts> byInstance) {}
}

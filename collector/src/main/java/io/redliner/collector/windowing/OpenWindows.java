// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was counted of one service in its windows that are not closed yet, by start in milliseconds and by instance. */
final class OpenWindows {

    private final HistogramPool histograms;

    /** Where the first window begins whose requests' times are kept. */
    private long timedFrom = Long.MAX_VALUE;

    /** By start, oldest first; nearly always one or two. */
    private final List<OpenWindow> windows = new ArrayList<>();

    OpenWindows(HistogramPool histograms) {
        this.histograms = histograms;
    }

    /** Keeps the times of requests in windows from then on. */
    void time(long from) {
        timedFrom = from;
    }

    /** Whether the times of the requests of a window are kept. */
    boolean isTimed(long windowStart) {
        return windowStart >= timedFrom;
    }

    /** An empty one for a window. */
    RequestAccumulator accumulator(long windowStart) {
        return new RequestAccumulator(isTimed(windowStart) ? histograms : null);
    }

    RequestAccumulator accumulator(long windowStart, String instance) {
        Map<String, RequestAccumulator> accumulators = window(windowStart).accumulators();
        RequestAccumulator accumulator = accumulators.get(instance);
        if (accumulator == null) {
            accumulator = accumulator(windowStart);
            accumulators.put(instance, accumulator);
        }
        return accumulator;
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

    /** Takes out the window that begins then. */
    Map<String, RequestAccumulator> take(long windowStart) {
        for (int index = 0; index < windows.size(); index++) {
            if (windows.get(index).start() == windowStart) {
                return windows.remove(index).accumulators();
            }
        }
        return new HashMap<>();
    }

    /** Takes out all windows that begin before the time. */
    List<RequestAccumulator> takeBefore(long time) {
        List<RequestAccumulator> taken = windows.stream().filter(window -> window.start() < time)
                .flatMap(window -> window.accumulators().values().stream()).toList();
        windows.removeIf(window -> window.start() < time);
        return taken;
    }

    /** The start of the newest window that anything is in, or the given one when that is newer. */
    long newest(long atLeast) {
        return windows.isEmpty() ? atLeast : Math.max(atLeast, windows.getLast().start());
    }

    boolean isEmpty() {
        return windows.isEmpty();
    }

    long pending(RecordKind kind) {
        return windows.stream().flatMap(window -> window.accumulators().values().stream())
                .mapToLong(accumulator -> accumulator.records(kind)).sum();
    }

    private record OpenWindow(long start, Map<String, RequestAccumulator> accumulators) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.timeline;

import io.redliner.controller.run.GaugeSeen;
import io.redliner.controller.run.JudgedWindow;
import io.redliner.controller.run.RuleResult;
import io.redliner.controller.run.WindowVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Windows as at most so many points, each of the windows that begin in the same stretch of time. Stretches begin at
 * multiples of their width since the epoch, and widths are the window's length times a power of two, so that points stay
 * where they are when more windows come. Takes windows in the order of their sequence, and holds only those of the newest
 * stretch.
 */
public final class Timeline {

    private final long width;

    private final List<Point> points = new ArrayList<>();

    private final List<JudgedWindow> open = new ArrayList<>();

    private final Map<String, String> gauges = new TreeMap<>();

    private final Map<String, String> peersGauges = new TreeMap<>();

    private @Nullable RuleResult latencyRule;

    private long newest;

    private long windows;

    /**
     * Of windows that begin in some time.
     *
     * @param span from the first window's beginning to the last one's, zero or more
     * @param windowLength positive
     * @param most points, at least 2
     */
    public Timeline(Duration span, Duration windowLength, int most) {
        this.width = width(Math.max(0, span.toMillis()), Math.max(1, windowLength.toMillis()), most);
    }

    /** The smallest of which so many, and one that is cut at either end, are enough. */
    private static long width(long span, long window, int most) {
        if (most < 2) {
            throw new IllegalArgumentException("a timeline has at least 2 points, not " + most);
        }
        long width = window;
        while (span / width + 2 > most && span >= width) {
            width *= 2;
        }
        return width;
    }

    /** Length of a stretch. */
    public Duration width() {
        return Duration.ofMillis(width);
    }

    /** Takes the next window. */
    public void take(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        if (!open.isEmpty() && stretch(open.getFirst()) != stretch(window)) {
            close();
        }
        open.add(window);
        windows++;
        newest = Math.max(newest, verdict.sequence());
        units(gauges, verdict.sut().gauges());
        units(peersGauges, verdict.peers().gauges());
        LatencyRule.of(verdict).ifPresent(rule -> latencyRule = rule);
    }

    private static void units(Map<String, String> known, List<GaugeSeen> more) {
        more.forEach(gauge -> known.put(gauge.name(), gauge.unit()));
    }

    private long stretch(JudgedWindow window) {
        return stretch(window.verdict().windowStart());
    }

    private long stretch(Instant start) {
        return Math.floorDiv(start.toEpochMilli(), width);
    }

    private void close() {
        points.add(Point.of(open));
        open.clear();
    }

    /** The points so far, in the order of their windows. */
    public List<Point> points() {
        List<Point> all = new ArrayList<>(points);
        if (!open.isEmpty()) {
            all.add(Point.of(open));
        }
        return all;
    }

    /** The same with null where at least one whole stretch has no window: a line through it would be made up. */
    public List<@Nullable Point> withGaps() {
        List<@Nullable Point> all = new ArrayList<>();
        Point before = null;
        for (Point point : points()) {
            if (before != null && stretch(point.start()) > stretch(before.start()) + 1) {
                all.add(null);
            }
            all.add(point);
            before = point;
        }
        return all;
    }

    /** Units of the gauges of the SUT by name. */
    public Map<String, String> gauges() {
        return new LinkedHashMap<>(gauges);
    }

    /** Units of the gauges of its peers by name. */
    public Map<String, String> peersGauges() {
        return new LinkedHashMap<>(peersGauges);
    }

    /** The rule that the threshold is of, as the newest window has it; absent when there is none about a time. */
    public @Nullable RuleResult latencyRule() {
        return latencyRule;
    }

    /** The largest sequence of a window; 0 without any. */
    public long newest() {
        return newest;
    }

    /** How many windows there were. */
    public long windows() {
        return windows;
    }
}

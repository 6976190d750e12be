// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates windows to a limited number of points, each for the windows that begin in the same stretch of time. Stretches
 * begin at multiples of their width since the epoch, and widths are the window's length times a power of two, so that
 * points stay where they are when more windows come. Takes windows in the order of their sequence, and holds none of them.
 */
public final class Timeline {

    private final long width;

    private final List<TimelinePoint> points = new ArrayList<>();

    private @Nullable Stretch currentStretch;

    private final Map<String, String> gauges = new TreeMap<>();

    private final Map<String, String> peersGauges = new TreeMap<>();

    private @Nullable RuleResult latencyRule;

    private long newest;

    private long windows;

    /**
     * Creates a timeline for windows that begin within a span of time.
     *
     * @param span from the first window's beginning to the last one's, zero or more
     * @param windowLength positive
     * @param most points, at least 2
     */
    public Timeline(Duration span, Duration windowLength, int most) {
        this.width = width(Math.max(0, span.toMillis()), Math.max(1, windowLength.toMillis()), most);
    }

    /** The smallest width with which the span, cut at both ends, gives at most this many points. */
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
        take(Stretch.of(window));
    }

    /** Takes the next windows, which begin in one stretch of this timeline. */
    public void take(Stretch next) {
        Stretch before = currentStretch;
        if (before == null) {
            currentStretch = next;
        } else if (stretch(before.start()) == stretch(next.start())) {
            currentStretch = before.and(next);
        } else {
            points.add(before.point());
            currentStretch = next;
        }
        windows += next.windows();
        newest = Math.max(newest, next.newest());
        units(gauges, next.gauges());
        units(peersGauges, next.peersGauges());
        latencyRule = next.latencyRule() == null ? latencyRule : next.latencyRule();
    }

    private static void units(Map<String, String> known, Map<String, GaugeSample> more) {
        more.forEach((name, gauge) -> known.put(name, gauge.unit()));
    }

    private long stretch(Instant start) {
        return Math.floorDiv(start.toEpochMilli(), width);
    }

    /** The points so far, in the order of their windows. */
    public List<TimelinePoint> points() {
        List<TimelinePoint> all = new ArrayList<>(points);
        if (currentStretch != null) {
            all.add(currentStretch.point());
        }
        return all;
    }

    /** The same with null where at least one whole stretch has no window: a line through it would be made up. */
    public List<@Nullable TimelinePoint> withGaps() {
        List<@Nullable TimelinePoint> all = new ArrayList<>();
        TimelinePoint before = null;
        for (TimelinePoint point : points()) {
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

    /** The rule of the threshold, from the newest window that has one; absent when no rule is about a time. */
    public @Nullable RuleResult latencyRule() {
        return latencyRule;
    }

    /** The largest sequence of a window; 0 without any. */
    public long newest() {
        return newest;
    }

    /** The number of windows. */
    public long windows() {
        return windows;
    }
}

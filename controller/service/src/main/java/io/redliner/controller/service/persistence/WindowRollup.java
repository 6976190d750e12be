// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.timeline.Stretch;
import io.redliner.controller.service.report.WindowAggregate;
import java.time.Duration;
import java.time.Instant;

/**
 * The windows of one stretch of time, summed up.
 *
 * @param stretch for charts
 * @param aggregate for reports
 */
public record WindowRollup(Stretch stretch, WindowAggregate aggregate) {

    /** Windows of a stretch without holes: some 26 s of the shortest windows, and a chart is seldom finer than that. */
    private static final int WINDOWS = 256;

    /** The rollup of one window. */
    public static WindowRollup of(JudgedWindow window) {
        return new WindowRollup(Stretch.of(window),
                WindowAggregate.of(window));
    }

    /** The rollup of these windows and of those that come after them. */
    public WindowRollup and(WindowRollup later) {
        return new WindowRollup(stretch.and(later.stretch), aggregate.and(later.aggregate));
    }

    /** The length of the shortest stretches, of level 0, of a run with windows of this length. */
    public static Duration length(Duration window) {
        return Duration.ofMillis(Math.max(1, window.toMillis()) * WINDOWS);
    }

    /** The beginning of the stretch that an instant is in. */
    public static Instant begin(Instant at, Duration length) {
        return Instant.ofEpochMilli(Math.floorDiv(at.toEpochMilli(), length.toMillis()) * length.toMillis());
    }
}

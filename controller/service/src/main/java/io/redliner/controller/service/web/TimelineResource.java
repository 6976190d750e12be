// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.timeline.Stretch;
import io.redliner.controller.core.timeline.Timeline;
import io.redliner.controller.service.persistence.RunHistoryRepository;
import io.redliner.controller.service.persistence.WindowRollups;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Runs as charts show them: as many points as a screen is wide, whatever the run's length. */
@RestController
@RequestMapping("/api/v1/runs")
class TimelineResource {

    private static final int MAX_POINTS = 2_000;

    /** Windows in memory at once. */
    private static final int BATCH = 1_000;

    private final RunLookup lookup;

    private final RunHistoryRepository history;

    private final WindowRollups rollups;

    TimelineResource(RunLookup lookup, RunHistoryRepository history, WindowRollups rollups) {
        this.lookup = lookup;
        this.history = history;
        this.rollups = rollups;
    }

    @GetMapping("/{id}/timeline")
    TimelineView timeline(@PathVariable String id, @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to, @RequestParam(defaultValue = "600") int points) {
        int most = RequestParameters.between("points", 2, points, MAX_POINTS);
        Instant begin = RequestParameters.instant("from", from);
        Instant end = RequestParameters.instant("to", to);
        if (begin != null && end != null && !begin.isBefore(end)) {
            throw RequestParameters.refuse("to", "to is after from");
        }
        StoredRun run = lookup.require(id);
        RunHistoryRepository.Span whole = history.span(id, null, null).orElse(null);
        RunHistoryRepository.Span asked = begin == null && end == null
                ? whole
                : history.span(id, begin, end).orElse(null);
        Duration window = run.state().facts().bounds().window();
        Timeline timeline = new Timeline(
                asked == null ? Duration.ZERO : Duration.between(asked.first(), asked.last()), window, most);
        if (asked != null) {
            // What comes after the last one that was counted is left for events to tell.
            Instant last = asked.last().plusMillis(1);
            // Of those that are no longer than a point is wide.
            List<WindowRollups.Kept<Stretch>> stretches = rollups.stretches(run, timeline.width(),
                    begin == null ? null : asked.first(), last);
            fill(timeline, id, asked.first(), stretches.isEmpty() ? last : stretches.getFirst().startsAt());
            if (!stretches.isEmpty()) {
                stretches.forEach(stretch -> timeline.take(stretch.content()));
                fill(timeline, id, stretches.getLast().endsAt(), last);
            }
        }
        return TimelineView.of(run, whole, timeline);
    }

    private void fill(Timeline timeline, String id, Instant from, Instant to) {
        List<JudgedWindow> batch;
        do {
            batch = history.windows(id, timeline.newest(), from, to, BATCH);
            batch.forEach(timeline::take);
        } while (batch.size() == BATCH);
    }
}

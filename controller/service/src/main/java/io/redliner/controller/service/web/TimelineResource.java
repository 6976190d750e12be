// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.service.persistence.RunHighlightsRepository;
import io.redliner.controller.service.persistence.WindowSums;
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

    private final RunLookup lookup;

    private final WindowSums sums;

    private final RunHighlightsRepository highlights;

    TimelineResource(RunLookup lookup, WindowSums sums, RunHighlightsRepository highlights) {
        this.lookup = lookup;
        this.sums = sums;
        this.highlights = highlights;
    }

    @GetMapping("/{id}/timeline")
    TimelineView timeline(@PathVariable String id, @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to, @RequestParam(defaultValue = "600") int points) {
        int maxPoints = RequestParameters.between("points", 2, points, MAX_POINTS);
        Instant begin = RequestParameters.instant("from", from);
        Instant end = RequestParameters.instant("to", to);
        if (begin != null && end != null && !begin.isBefore(end)) {
            throw RequestParameters.refuse("to", "to is after from");
        }
        StoredRun run = lookup.findWithDetails(id);
        WindowSums.Span whole = sums.span(id, null, null).orElse(null);
        WindowSums.Span span = begin == null && end == null ? whole : sums.span(id, begin, end).orElse(null);
        // What comes after the last window that was counted is left for events to tell.
        WindowSums.Chart chart = sums.chart(run, span, maxPoints);
        return TimelineView.of(run, whole, chart, span == null ? List.of() : sums.gauges(run, span, chart.width()),
                begin == null && end == null ? highlights.of(run) : null);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.schedule.DueFiring;
import io.redliner.controller.service.scheduling.UpcomingFiringsService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The times at which plans will start by themselves, not only the next one. */
@RestController
class UpcomingFiringsResource {

    private static final int MAX_ITEMS = 5000;

    private static final Duration USUAL = Duration.ofDays(28);

    private static final Duration FARTHEST = Duration.ofDays(400);

    private final UpcomingFiringsService upcoming;

    private final InstantSource clock;

    UpcomingFiringsResource(UpcomingFiringsService upcoming, InstantSource clock) {
        this.upcoming = upcoming;
        this.clock = clock;
    }

    /** A firing that is ahead. */
    record DueView(String plan, String service, Instant due) {}

    /**
     * Firings in order.
     *
     * @param to before which these are all; earlier than requested when there are more than the limit
     * @param blocked times at which a plan does not start, because an entry of its {@code except} keeps it from that;
     *            absent when nobody asked for them
     * @param blockedTo before which the blocked times are all; absent when nobody asked for them
     */
    record DueList(List<DueView> items, Instant to, boolean complete,
            @Nullable List<UpcomingFiringsService.BlockedFiring> blocked, @Nullable Instant blockedTo) {}

    @GetMapping("/api/v1/schedules:upcoming")
    DueList list(@RequestParam(required = false) @Nullable String to,
            @RequestParam(required = false) @Nullable String service, @RequestParam(defaultValue = "500") int limit,
            @RequestParam(defaultValue = "false") boolean blocked) {
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_ITEMS);
        Instant end = end(to);
        List<DueFiring> found = upcoming.before(end, service, pageSize + 1);
        boolean complete = found.size() <= pageSize;
        Instant until = complete ? end : found.getLast().at();
        UpcomingFiringsService.BlockedFirings kept = blocked
                ? upcoming.blocked(clock.instant(), until, service, pageSize)
                : null;
        return new DueList(
                found.stream().limit(pageSize).map(due -> new DueView(due.plan(), due.service(), due.at())).toList(),
                until, complete, kept == null ? null : kept.items(), kept == null ? null : kept.to());
    }

    private Instant end(@Nullable String to) {
        Instant now = clock.instant();
        Instant end = to == null ? now.plus(USUAL) : RequestParameters.instant("to", to);
        if (end == null || end.isAfter(now.plus(FARTHEST))) {
            throw RequestParameters.refuse("to", "to is at most 400 days ahead");
        }
        return end;
    }
}

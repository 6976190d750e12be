// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.safety.Freeze;
import io.redliner.controller.service.persistence.ActivityRepository;
import io.redliner.controller.service.persistence.SafetyRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The runs, freezes and deployments of all services in the last hours. */
@RestController
class ActivityResource {

    private static final int MAX_ITEMS = 500;

    private static final Duration USUAL = Duration.ofHours(24);

    private static final Duration FARTHEST = Duration.ofDays(7);

    private final ActivityRepository activity;

    private final SafetyRepository safety;

    private final InstantSource clock;

    ActivityResource(ActivityRepository activity, SafetyRepository safety, InstantSource clock) {
        this.activity = activity;
        this.safety = safety;
        this.clock = clock;
    }

    /**
     * Runs, freezes and deployments from an instant until now, newest first.
     *
     * @param complete false when there were more runs or deployments than {@value #MAX_ITEMS}, of which the oldest are left out
     * @param freezes those that were in force, except for those that were removed
     */
    record ActivityView(Instant from, Instant to, boolean complete, List<ActivityRepository.RunSpan> runs,
            List<Freeze> freezes, List<ActivityRepository.Deployed> deployments) {}

    @GetMapping("/api/v1/activity")
    ActivityView get(@RequestParam(required = false) @Nullable String since) {
        Instant now = clock.instant();
        Instant given = RequestParameters.instant("since", since);
        Instant from = given == null ? now.minus(USUAL) : given;
        if (from.isBefore(now.minus(FARTHEST)) || from.isAfter(now)) {
            throw RequestParameters.refuse("since", "since is in the last 7 days");
        }
        List<ActivityRepository.RunSpan> runs = activity.runs(from, MAX_ITEMS + 1);
        List<ActivityRepository.Deployed> deployments = activity.deployments(from, MAX_ITEMS + 1);
        return new ActivityView(from, now, runs.size() <= MAX_ITEMS && deployments.size() <= MAX_ITEMS,
                runs.stream().limit(MAX_ITEMS).toList(), safety.freezes(from, now),
                deployments.stream().limit(MAX_ITEMS).toList());
    }
}

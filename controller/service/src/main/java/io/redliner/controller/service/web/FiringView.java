// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.schedule.Firing;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A time at which a plan was due, and its result. */
record FiringView(String plan, int planVersion, Instant due, String cause, @Nullable String deploymentId, String state,
        int attempts, Instant firedAt, @Nullable String runId, @Nullable String run, @Nullable String code,
        @Nullable String reason) {

    static FiringView of(Firing firing) {
        Firing.Progress progress = firing.progress();
        return new FiringView(firing.plan(), firing.planVersion(), firing.due(), firing.cause().wireName(),
                firing.deploymentId(), firing.state().wireName(), progress.attempts(), progress.firedAt(),
                progress.runId(), run(firing), progress.code(), progress.reason());
    }

    private static @Nullable String run(Firing firing) {
        String runId = firing.progress().runId();
        return runId == null ? null : (firing.series() ? "/api/v1/series/" : "/api/v1/runs/") + runId;
    }
}

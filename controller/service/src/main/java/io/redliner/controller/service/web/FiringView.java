// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.schedule.Firing;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One time at which a plan was to start, and what became of it. */
record FiringView(String plan, int planVersion, Instant due, String cause, @Nullable String deploymentId, String state,
        int attempts, Instant firedAt, @Nullable String runId, @Nullable String run, @Nullable String code,
        @Nullable String reason) {

    static FiringView of(Firing firing) {
        return new FiringView(firing.plan(), firing.planVersion(), firing.due(), firing.cause().wireName(),
                firing.deploymentId(), firing.state().wireName(), firing.attempts(), firing.firedAt(), firing.runId(),
                run(firing), firing.code(), firing.reason());
    }

    private static @Nullable String run(Firing firing) {
        return firing.runId() == null ? null : (firing.series() ? "/api/v1/series/" : "/api/v1/runs/") + firing.runId();
    }
}

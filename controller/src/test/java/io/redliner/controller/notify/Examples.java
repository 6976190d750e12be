// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.notify;

import io.redliner.controller.notify.Notice.Measured;
import io.redliner.controller.plan.Occasion;
import java.time.Instant;

/** Things to tell. */
final class Examples {

    static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private Examples() {}

    static Notice aborted(String reason) {
        return new Notice(Occasion.ABORTED, AT, "r-1", "shop", "10.0.0.1:80", "weekly", "abc", "Finished", "ABORTED",
                "AbortRequested", reason, null, null, 12, 300.0, "ACKNOWLEDGED");
    }

    static Notice notice(Occasion occasion, String service) {
        return new Notice(occasion, AT, "r-1", service, "10.0.0.1:80", "weekly", "abc", "Preparing", null, null, null,
                null, null, 0, null, null);
    }

    static Notice changed() {
        return new Notice(Occasion.CAPACITY_CHANGED, AT, "r-1", "shop", "10.0.0.1:80", "weekly", "abc", "Finished",
                "CAPACITY_FOUND", "CapacityFound", "done", capacity(395.04), capacity(500), 12.5, 300.0,
                "ACKNOWLEDGED");
    }

    static Measured capacity(double value) {
        return new Measured(value, value * 0.97, value * 1.03, false, "latency");
    }

    static Measured atLeast(double value) {
        return new Measured(value, value * 0.97, value * 1.03, true, "");
    }
}

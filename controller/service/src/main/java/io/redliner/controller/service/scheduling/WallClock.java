// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.LocalTimeResolver;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRules;

/** Converts instants to the local time of a zone, and back. */
record WallClock(ZoneRules rules) {

    static WallClock of(ZoneId zone) {
        return new WallClock(zone.getRules());
    }

    Instant instant(LocalDateTime local) {
        return LocalTimeResolver.instant(local, rules);
    }

    LocalDateTime local(Instant instant) {
        return LocalDateTime.ofInstant(instant, rules.getOffset(instant));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/** From what a clock on the wall shows to the one instant that is meant. */
public final class LocalTimeResolver {

    private LocalTimeResolver() {}

    /** What the clock skips is when it skips; what it shows twice is the first time. */
    public static Instant instant(LocalDateTime local, ZoneId zone) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty()) {
            ZoneOffsetTransition gap = zone.getRules().getTransition(local);
            return gap.getInstant();
        }
        return local.toInstant(offsets.getFirst());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;

/** Resolves local times to instants. */
public final class LocalTimeResolver {

    private LocalTimeResolver() {}

    /**
     * Resolves a local time: one that the clock skips becomes the instant of the skip, one that it shows twice the first of
     * the two.
     */
    public static Instant instant(LocalDateTime local, ZoneId zone) {
        return instant(local, zone.getRules());
    }

    /** Resolves a local time by the rules of a zone that may have no name. */
    public static Instant instant(LocalDateTime local, ZoneRules rules) {
        List<ZoneOffset> offsets = rules.getValidOffsets(local);
        return offsets.isEmpty() ? rules.getTransition(local).getInstant() : local.toInstant(offsets.getFirst());
    }
}

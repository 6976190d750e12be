// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.LocalTimeResolver;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.TimeZone;

/** From instants to what a clock on the wall shows, and back. */
sealed interface WallClock {

    Instant instant(LocalDateTime local);

    LocalDateTime local(Instant instant);

    /** A zone that Java knows. */
    record Known(ZoneId zone) implements WallClock {

        @Override
        public Instant instant(LocalDateTime local) {
            return LocalTimeResolver.instant(local, zone);
        }

        @Override
        public LocalDateTime local(Instant instant) {
            return instant.atZone(zone).toLocalDateTime();
        }
    }

    /** A zone that the calendar itself describes. */
    record Described(TimeZone zone) implements WallClock {

        @Override
        public Instant instant(LocalDateTime local) {
            long wall = local.toInstant(ZoneOffset.UTC).toEpochMilli();
            long guess = wall - zone.getOffset(wall - zone.getRawOffset());
            return Instant.ofEpochMilli(wall - zone.getOffset(guess));
        }

        @Override
        public LocalDateTime local(Instant instant) {
            return instant.plusMillis(zone.getOffset(instant.toEpochMilli())).atOffset(ZoneOffset.UTC)
                    .toLocalDateTime();
        }
    }
}

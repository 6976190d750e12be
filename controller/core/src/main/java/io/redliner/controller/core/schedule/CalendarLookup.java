// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.io.Serial;
import java.time.ZoneId;
import java.util.Optional;

/** The stored calendars by name. */
@FunctionalInterface
public interface CalendarLookup {

    /** A lookup that finds no calendar. */
    CalendarLookup NONE = (name, zone) -> Optional.empty();

    /**
     * Returns the calendar with this name.
     *
     * @param zone in which its whole days are meant
     */
    Optional<BlackoutTimes> find(String name, ZoneId zone);

    /** A schedule names a calendar that is not stored, so it is unknown when its plan may start. */
    final class UnknownCalendarException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1;

        UnknownCalendarException(String calendar) {
            super("there is no calendar " + calendar + " that can be read");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.ZoneId;
import java.util.Optional;

/** The stored calendars by name. */
@FunctionalInterface
public interface CalendarLookup {

    /** A lookup that finds no calendar. */
    CalendarLookup NONE = (name, zone) -> Optional.empty();

    /**
     * The calendar with this name.
     *
     * @param zone in which its whole days are meant
     */
    Optional<BlackoutTimes> find(String name, ZoneId zone);
}

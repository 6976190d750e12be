// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A calendar as it is kept.
 *
 * @param content iCalendar text
 * @param hash SHA-256 of the text
 * @param folder whether it came from the plan folder
 * @param team that may change it, null when nobody owns it
 * @param summary of its events when it was stored
 */
public record StoredCalendar(String name, String content, String hash, boolean folder, @Nullable String team,
        Instant updatedAt, CalendarSummary summary) {

    /**
     * The events of a calendar, for people.
     *
     * @param busy events at which nothing starts
     * @param free events that are cancelled, marked as free, or take no time
     * @param warnings events that block no start, and that may have been meant to
     */
    public record CalendarSummary(int busy, int free, List<String> warnings) {

        public CalendarSummary {
            warnings = List.copyOf(warnings);
        }
    }
}

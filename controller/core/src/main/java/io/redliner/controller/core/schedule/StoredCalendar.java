// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A calendar of events at which no run starts, as it is stored.
 *
 * @param content iCalendar text
 * @param hash SHA-256 of the text
 * @param folder true when it came from the plan folder
 * @param team the team that may change it; null when none owns it
 * @param summary summary of its events at the time when it was stored
 */
public record StoredCalendar(String name, String content, String hash, boolean folder, @Nullable String team,
        Instant updatedAt, CalendarSummary summary) {

    /**
     * A summary of the events of a calendar, for people.
     *
     * @param busy number of events at which no run starts
     * @param free number of events that are cancelled, marked as free, or take no time
     * @param warnings one sentence for each event that blocks no start although its author may have meant it to
     */
    public record CalendarSummary(int busy, int free, List<String> warnings) {

        public CalendarSummary {
            warnings = List.copyOf(warnings);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.util.List;

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

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.ICalendar;
import biweekly.component.VEvent;
import biweekly.property.Status;
import io.redliner.controller.core.schedule.CalendarSummary;
import io.redliner.controller.plan.PlainText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Counts the events of a calendar, and names those that block nothing. */
final class IcsSummary {

    private static final int MAX_NAMES = 3;

    private static final int MAX_NAME_LENGTH = 60;

    private final ICalendar calendar;

    private final List<String> warnings = new ArrayList<>();

    private IcsSummary(ICalendar calendar) {
        this.calendar = calendar;
    }

    /**
     * The summary of a calendar.
     *
     * @param read its busy events, also those that take no time
     * @param blocks whether anything is blocked in the next years
     */
    static CalendarSummary of(ICalendar calendar, List<RecurringEvent> read, boolean blocks) {
        return new IcsSummary(calendar).write(read, blocks);
    }

    private CalendarSummary write(List<RecurringEvent> read, boolean blocks) {
        List<RecurringEvent> without = read.stream().filter(event -> event.length().isZero()).toList();
        Set<String> timeless = without.stream().map(RecurringEvent::uid).collect(Collectors.toCollection(HashSet::new));
        warn("is cancelled", "are cancelled", IcsSummary::cancelled);
        warn("is marked as free (TRANSP:TRANSPARENT)", "are marked as free (TRANSP:TRANSPARENT)",
                event -> !cancelled(event) && !busy(event));
        warn("takes no time", "take no time", event -> busy(event) && timeless.contains(IcsEventReader.uid(event)));
        int others = calendar.getTodos().size() + calendar.getJournals().size();
        if (others > 0) {
            warnings.add(others + (others == 1
                    ? " task or note is no event, and blocks nothing"
                    : " tasks or notes are no events, and block nothing"));
        }
        if (!blocks) {
            warnings.add("nothing in it blocks anything in the next three years");
        }
        long free = calendar.getEvents().stream().filter(event -> !busy(event)).count() + without.size();
        return new CalendarSummary(read.size() - without.size(), Math.toIntExact(free), warnings);
    }

    private void warn(String one, String many, Predicate<VEvent> which) {
        List<String> names = calendar.getEvents().stream().filter(which).map(IcsSummary::name).distinct().toList();
        long count = calendar.getEvents().stream().filter(which).count();
        if (count == 1) {
            warnings.add("event " + names.getFirst() + " " + one + ", and blocks nothing");
        } else if (count > 1) {
            warnings.add(count + " events " + many + ", and block nothing: "
                    + names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "))
                    + (names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " others" : ""));
        }
    }

    private static String name(VEvent event) {
        String summary = event.getSummary() == null ? null : event.getSummary().getValue();
        String name = summary == null || summary.isBlank() ? IcsEventReader.uid(event) : "'" + summary.strip() + "'";
        String shown = PlainText.shown(name).replaceAll("\\s+", " ");
        return shown.length() > MAX_NAME_LENGTH ? shown.substring(0, MAX_NAME_LENGTH) + "…" : shown;
    }

    private static boolean cancelled(VEvent event) {
        Status status = event.getStatus();
        return status != null && status.isCancelled();
    }

    /** Whether nothing may start at the event. */
    static boolean busy(VEvent event) {
        return !cancelled(event) && (event.getTransparency() == null || !event.getTransparency().isTransparent());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.ICalendar;
import biweekly.component.VEvent;
import biweekly.property.RecurrenceDates;
import biweekly.property.Status;
import biweekly.util.Period;
import io.redliner.contract.text.PlainText;
import io.redliner.controller.core.schedule.StoredCalendar.CalendarSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts the events of a calendar, and names those that block nothing. */
final class IcsSummary {

    private static final int MAX_NAMES = 3;

    private static final int MAX_NAME_LENGTH = 60;

    private final ICalendar calendar;

    private final List<String> warnings = new ArrayList<>();

    /** Names of events, by UID and part of a series. */
    private final Map<String, String> names = new HashMap<>();

    private IcsSummary(ICalendar calendar) {
        this.calendar = calendar;
        for (VEvent event : calendar.getEvents()) {
            String summary = event.getSummary() == null ? null : event.getSummary().getValue();
            if (summary != null && !summary.isBlank()) {
                names.putIfAbsent(IcsEventReader.uid(event), shown("'" + summary.strip() + "'"));
            }
        }
        for (VEvent event : calendar.getEvents()) {
            String title = title(event);
            names.putIfAbsent(IcsEventReader.label(event), title);
            for (RecurrenceDates dates : event.getProperties(RecurrenceDates.class)) {
                for (Period period : dates.getPeriods()) {
                    String one = IcsEventReader.occurrence(period.getStartDate());
                    names.putIfAbsent(IcsEventReader.uid(event) + one, title + one);
                }
            }
        }
    }

    /**
     * Returns the summary of a calendar.
     *
     * @param read its busy events, also those that take no time
     * @param blocks whether anything is blocked in the next years
     */
    static CalendarSummary of(ICalendar calendar, List<RecurringEvent> read, boolean blocks) {
        return new IcsSummary(calendar).write(read, blocks);
    }

    private CalendarSummary write(List<RecurringEvent> read, boolean blocks) {
        List<VEvent> events = calendar.getEvents();
        List<RecurringEvent> timeless = read.stream().filter(event -> !event.length().isPositive()).toList();
        Set<String> blocking = read.stream().filter(event -> event.length().isPositive()).map(RecurringEvent::uid)
                .collect(Collectors.toSet());
        warn("is cancelled", "are cancelled",
                events.stream().filter(IcsSummary::cancelled).map(event -> title(event) + except(event, blocking)));
        warn("is marked as free (TRANSP:TRANSPARENT)", "are marked as free (TRANSP:TRANSPARENT)",
                events.stream().filter(event -> !cancelled(event) && !busy(event))
                        .map(event -> title(event) + except(event, blocking)));
        warn("takes no time", "take no time", timeless.stream().map(this::name));
        int others = calendar.getTodos().size() + calendar.getJournals().size();
        if (others > 0) {
            warnings.add(others + (others == 1
                    ? " task or note is no event, and blocks nothing"
                    : " tasks or notes are no events, and block nothing"));
        }
        if (!blocks) {
            warnings.add("nothing in it blocks anything in the next three years");
        }
        long free = events.stream().filter(event -> !busy(event)).count() + timeless.size();
        return new CalendarSummary(read.size() - timeless.size(), Math.toIntExact(free), warnings);
    }

    private void warn(String one, String many, Stream<String> named) {
        List<String> names = named.toList();
        List<String> different = names.stream().distinct().toList();
        if (names.size() == 1) {
            warnings.add("event " + names.getFirst() + " " + one + ", and blocks nothing");
        } else if (names.size() > 1) {
            warnings.add(names.size() + " events " + many + ", and block nothing: "
                    + different.stream().limit(MAX_NAMES).collect(Collectors.joining(", "))
                    + (different.size() > MAX_NAMES ? " and " + (different.size() - MAX_NAMES) + " others" : ""));
        }
    }

    private String name(RecurringEvent event) {
        return names.getOrDefault(event.uid(), shown(event.uid()));
    }

    /** An occurrence without a name of its own has that of its series. */
    private String title(VEvent event) {
        String summary = event.getSummary() == null ? null : event.getSummary().getValue();
        if (summary != null && !summary.isBlank()) {
            return shown("'" + summary.strip() + "'") + IcsEventReader.part(event);
        }
        String uid = shown(IcsEventReader.uid(event));
        return event.getRecurrenceId() == null
                ? uid
                : names.getOrDefault(IcsEventReader.uid(event), uid) + IcsEventReader.part(event);
    }

    /** Returns the parts that block of a series that does not, for people. */
    private String except(VEvent series, Set<String> blocking) {
        if (series.getRecurrenceId() != null) {
            return "";
        }
        List<String> parts = calendar.getEvents().stream()
                .filter(event -> event.getRecurrenceId() != null && busy(event)
                        && IcsEventReader.uid(event).equals(IcsEventReader.uid(series))
                        && blocking.contains(IcsEventReader.label(event)))
                .map(event -> IcsEventReader.part(event).replaceAll("[()]", "").strip()).toList();
        return parts.isEmpty()
                ? ""
                : " (all but: " + String.join(", ", parts.stream().limit(MAX_NAMES).toList())
                        + (parts.size() > MAX_NAMES ? " and " + (parts.size() - MAX_NAMES) + " others" : "") + ")";
    }

    private static String shown(String name) {
        String shown = PlainText.shown(name).replaceAll("\\s+", " ");
        return shown.codePointCount(0, shown.length()) > MAX_NAME_LENGTH
                ? shown.substring(0, shown.offsetByCodePoints(0, MAX_NAME_LENGTH)) + "…"
                : shown;
    }

    private static boolean cancelled(VEvent event) {
        Status status = event.getStatus();
        return status != null && status.isCancelled();
    }

    /** Returns whether nothing may start at the event. */
    static boolean busy(VEvent event) {
        return !cancelled(event) && (event.getTransparency() == null || !event.getTransparency().isTransparent());
    }
}

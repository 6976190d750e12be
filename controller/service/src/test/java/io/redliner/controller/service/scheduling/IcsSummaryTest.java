// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.schedule.StoredCalendar.CalendarSummary;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IcsSummaryTest {

    private static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");

    private static final String NOTHING = "nothing in it blocks anything in the next three years";

    private static String event(String text) {
        return "BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\n" + text + "\nEND:VEVENT\n";
    }

    private static CalendarSummary summary(String... components) throws InvalidCalendarException {
        String text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n" + String.join("", components)
                + "END:VCALENDAR\n";
        return IcsCalendar.read(text.replace("\n", "\r\n"), NOW).summary();
    }

    @Test
    void holidays_that_are_marked_as_free_are_named() throws InvalidCalendarException {
        CalendarSummary summary = summary(
                event("UID:a\nSUMMARY:Neujahr\nDTSTART;VALUE=DATE:20270101\nTRANSP:TRANSPARENT"),
                event("UID:b\nSUMMARY:Maifeiertag\nDTSTART;VALUE=DATE:20270501\nTRANSP:TRANSPARENT"));

        assertThat(summary.busy()).isZero();
        assertThat(summary.free()).isEqualTo(2);
        assertThat(summary.warnings()).containsExactly(
                "2 events are marked as free (TRANSP:TRANSPARENT), and block nothing: 'Neujahr', 'Maifeiertag'",
                NOTHING);
    }

    @Test
    void each_kind_that_blocks_nothing_is_named_beside_what_blocks() throws InvalidCalendarException {
        CalendarSummary summary = summary(event("UID:a\nDTSTART:20260120T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY"),
                event("UID:a\nRECURRENCE-ID:20260122T100000Z\nDTSTART:20260122T100000Z\nDURATION:PT1H\nSTATUS:CANCELLED"),
                event("UID:b\nSUMMARY:Inventur\nDTSTART:20260120T100000Z\nDURATION:PT1H\nTRANSP:TRANSPARENT"),
                event("UID:c\nDTSTART:20260120T100000Z"),
                "BEGIN:VTODO\nUID:t\nDTSTAMP:20260101T000000Z\nDUE:20260120T100000Z\nEND:VTODO\n");

        assertThat(summary.busy()).isEqualTo(1);
        assertThat(summary.free()).isEqualTo(3);
        assertThat(summary.warnings()).containsExactly(
                "event a (occurrence of 2026-01-22) is cancelled, and blocks nothing",
                "event 'Inventur' is marked as free (TRANSP:TRANSPARENT), and blocks nothing",
                "event c takes no time, and blocks nothing", "1 task or note is no event, and blocks nothing");
    }

    @Test
    void an_event_without_a_name_or_an_id_is_named_so() throws InvalidCalendarException {
        assertThat(summary(event("UID:\nSUMMARY:\nDTSTART:20260120T100000Z\nSTATUS:CANCELLED"),
                event("DTSTART:20260120T100000Z\nTRANSP:TRANSPARENT")).warnings()).startsWith(
                        "event without a UID is cancelled, and blocks nothing",
                        "event without a UID is marked as free (TRANSP:TRANSPARENT), and blocks nothing");
    }

    @Test
    void what_is_cancelled_and_marked_as_free_is_named_once() throws InvalidCalendarException {
        assertThat(summary(event("UID:a\nDTSTART:20260120T100000Z\nTRANSP:TRANSPARENT\nSTATUS:CANCELLED")).warnings())
                .containsExactly("event a is cancelled, and blocks nothing", NOTHING);
    }

    @Test
    void of_a_series_only_the_occurrence_that_takes_no_time_is_named() throws InvalidCalendarException {
        CalendarSummary summary = summary(
                event("UID:a\nSUMMARY:Release\nDTSTART:20260120T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY"
                        + "\nRDATE;VALUE=PERIOD:20260121T140000Z/20260121T140000Z"),
                event("UID:a\nRECURRENCE-ID:20260122T100000Z\nDTSTART:20260122T100000Z\nDTEND:20260122T100000Z"));

        assertThat(summary.busy()).isEqualTo(1);
        assertThat(summary.free()).isEqualTo(2);
        assertThat(summary.warnings()).containsExactly("2 events take no time, and block nothing: "
                + "'Release' (occurrence of 2026-01-22), 'Release' (occurrence of 2026-01-21)");
    }

    @ParameterizedTest
    @CsvSource({"'RECURRENCE-ID:20260122T100000Z', (occurrence of 2026-01-22)",
        "'RECURRENCE-ID;VALUE=DATE:20260122', (occurrence of 2026-01-22)",
        "'RECURRENCE-ID;RANGE=THISANDFUTURE:20260122T100000Z', (from 2026-01-22 on)"})
    void of_a_series_that_blocks_the_part_that_does_not_is_named(String id, String part)
            throws InvalidCalendarException {
        String ser = "UID:a\nSUMMARY:ser\nDTSTART:20260120T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY";
        String moved = "UID:a\nSUMMARY:ser\n" + id + "\nDTSTART:20260123T100000Z\n";

        assertThat(summary(event(ser), event(moved + "DURATION:PT0S")).warnings())
                .containsExactly("event 'ser' " + part + " takes no time, and blocks nothing");
        assertThat(summary(event(ser), event(moved + "DURATION:PT1H\nSTATUS:CANCELLED")).warnings())
                .containsExactly("event 'ser' " + part + " is cancelled, and blocks nothing");
        assertThat(summary(event(ser), event(moved + "DURATION:PT1H\nTRANSP:TRANSPARENT")).warnings())
                .containsExactly("event 'ser' " + part + " is marked as free (TRANSP:TRANSPARENT), and blocks nothing");
    }

    @ParameterizedTest
    @CsvSource({"STATUS:CANCELLED, is cancelled", "TRANSP:TRANSPARENT, is marked as free (TRANSP:TRANSPARENT)"})
    void the_part_that_blocks_of_a_series_that_does_not_is_named(String state, String words)
            throws InvalidCalendarException {
        String series = event(
                "UID:a\nSUMMARY:ser\nDTSTART:20260120T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY\n" + state);
        String one = event("UID:a\nRECURRENCE-ID:20260122T100000Z\nDTSTART:20260122T140000Z\nDURATION:PT1H");
        String other = event("UID:a\nRECURRENCE-ID:20260123T100000Z\nDTSTART:20260123T140000Z\n" + state);
        String onwards = event(
                "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260202T100000Z\nDTSTART:20260202T140000Z\nDURATION:PT1H");

        assertThat(summary(series, one).warnings())
                .containsExactly("event 'ser' (all but: occurrence of 2026-01-22) " + words + ", and blocks nothing");
        assertThat(summary(onwards, series, one, other).warnings().getFirst()).startsWith("2 events ")
                .endsWith(", and block nothing: 'ser' (all but: from 2026-02-02 on, occurrence of 2026-01-22),"
                        + " 'ser' (occurrence of 2026-01-23)");
        assertThat(summary(series, other).warnings().getFirst()).doesNotContain("all but");
    }

    @Test
    void many_events_are_one_short_warning() throws InvalidCalendarException {
        String[] events = IntStream.range(0, 1000)
                .mapToObj(number -> event("UID:" + number + "\nSUMMARY:" + "😀".repeat(100)
                        + "\\n\u202e\u0007" + number + "\nDTSTART:20260120T100000Z"))
                .toArray(String[]::new);

        CalendarSummary summary = summary(events);

        assertThat(summary.free()).isEqualTo(1000);
        assertThat(summary.warnings()).hasSize(2);
        assertThat(summary.warnings().getFirst()).startsWith("1000 events take no time, and block nothing: '😀😀")
                .hasSizeLessThan(400);
    }

    @Test
    void a_name_in_a_warning_has_no_character_that_steers_a_terminal() throws InvalidCalendarException {
        assertThat(
                summary(event("UID:a\nSUMMARY:a\\nb\u001b[31m\u202ec\nDTSTART:20260120T100000Z")).warnings().getFirst())
                .startsWith("event 'a b").doesNotContain("\u001b", "\u202e", "\n");
    }

    @Test
    void a_calendar_in_which_everything_blocks_has_no_warning() throws InvalidCalendarException {
        assertThat(summary(event("UID:a\nDTSTART;VALUE=DATE:20260501\nDTEND;VALUE=DATE:20260501")))
                .isEqualTo(new CalendarSummary(1, 0, List.of()));
    }
}

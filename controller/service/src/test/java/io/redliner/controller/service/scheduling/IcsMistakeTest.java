// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A part of a calendar that no program follows is refused at its place, and not left out. */
class IcsMistakeTest {

    private static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");

    private static final String EVENT = "BEGIN:VEVENT\nDTSTART:20260120T100000Z\nDURATION:PT1H\n%s\nUID:odd\nEND:VEVENT\n";

    private static IcsCalendar read(String components) throws InvalidCalendarException {
        String text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n" + components + "END:VCALENDAR\n";
        return IcsCalendar.read(text.replace("\n", "\r\n"), NOW);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "RRULE:FREQ=DAILY\\nEXRULE:FREQ=WEEKLY | has an EXRULE (line 8), which is not followed: list the times in EXDATE",
        "exrule;X-A=\"b:c\":FREQ=WEEKLY        | has an EXRULE (line 7), which is not followed",
        "RRULE:FREQ=DAILY;COUNT=0              | has an RRULE with COUNT=0 (line 7); COUNT is between 1 and 2147483647",
        "RRULE:FREQ=DAILY;\\n COUNT=00          | has an RRULE with COUNT=00 (line 7); COUNT",
        "rrule:freq=daily;count=+0;wkst=MO     | has an RRULE with count=+0 (line 7); COUNT is",
        "RRULE:FREQ=DAILY;INTERVAL=0           | has an RRULE with INTERVAL=0 (line 7); INTERVAL is between 1 and 1000",
        "RRULE:FREQ=DAILY;COUNT=               | has an RRULE with COUNT= (line 7)",
        "RRULE:FREQ=DAILY;COUNT=-1             | COUNT=-1",
        "RRULE:FREQ=DAILY;COUNT=1;COUNT=0      | COUNT=0",
        "RRULE:FREQ=DAILY;COUNT=x              | cannot be read (line 7): Invalid COUNT value \"x\".",
        "RRULE:FREQ=DAILY;COUNT=9999999999     | Invalid COUNT value",
        "RRULE:FREQ=DAILY;INTERVAL=1.5         | Invalid INTERVAL value",
        "RRULE:FREQ=DAILY;UNTIL=soon           | cannot be read (line 7): Invalid UNTIL value \"soon\".",
        "RRULE:FREQ=DAILY;BYDAY=XX             | Invalid BYDAY value",
        "RRULE:FREQ=DAILY;BYMONTH=1,x          | non-numeric value found in BYMONTH",
        "RRULE:FREQ=MONTHLY;BYMONTHDAY=0       | BYMONTHDAY=0",
        "RRULE:FREQ=YEARLY;BYYEARDAY=1,0       | BYYEARDAY=0",
        "RRULE:FREQ=YEARLY;BYWEEKNO=0          | BYWEEKNO=0",
        "RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0 | BYSETPOS=0"})
    void a_rule_that_is_not_followed_as_it_is_written_is_refused(String rule, String words) {
        assertThatThrownBy(() -> read(EVENT.formatted(rule.replace("\\n", "\n"))))
                .isInstanceOf(InvalidCalendarException.class).hasMessageStartingWith("event odd ")
                .hasMessageContaining(words);
    }

    @Test
    void rules_of_time_zones_are_rules_too_and_those_of_tasks_are_none() throws InvalidCalendarException {
        String zone = """
                BEGIN:VTIMEZONE
                TZID:Office
                BEGIN:STANDARD
                DTSTART:19700101T000000
                TZOFFSETFROM:+0300
                TZOFFSETTO:+0300
                RRULE:FREQ=YEARLY;COUNT=0
                END:STANDARD
                END:VTIMEZONE
                """;
        String task = "BEGIN:VTODO\nUID:t\nDTSTART:20260120T100000Z\nRRULE:FREQ=DAILY;COUNT=0\nEND:VTODO\n";

        assertThatThrownBy(() -> read(zone + EVENT.formatted("SUMMARY:x")))
                .hasMessage("time zone Office has an RRULE with COUNT=0 (line 10); COUNT is between 1 and 2147483647");
        assertThat(read(task + EVENT.formatted("SUMMARY:EXRULE:x")).summary().busy()).isEqualTo(1);
    }

    @Test
    void the_event_is_the_one_with_the_rule() {
        String good = "BEGIN:VEVENT\nUID:good\nDTSTART:20260120T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY\nEND:VEVENT\n";
        String alarm = "EXRULE:FREQ=DAILY\nBEGIN:VALARM\nUID:bell\nEND:VALARM";

        assertThatThrownBy(() -> read(good + EVENT.formatted(alarm) + good)).hasMessageStartingWith("event odd ")
                .hasMessageContaining("(line 13)");
        assertThatThrownBy(() -> read(EVENT.formatted("EXRULE:FREQ=DAILY").replace("UID:odd\n", "")))
                .hasMessageStartingWith("event without a UID has an EXRULE");
    }

    @ParameterizedTest
    @CsvSource({"20260123T100000Z/20260123T090000Z, ends before it begins",
        "20260123T100000Z/-PT30M, ends before it begins",
        "'20260123T100000Z/PT1H,20260124T100000Z/20260124T090000Z', ends before it begins",
        "20260123T100000Z/P40000D, takes longer than a hundred years", "20260123T100000Z, cannot be read",
        "soon, cannot be read", "'20260123T100000Z/PT1H,20260123T100000Z/x', cannot be read"})
    void a_period_that_is_backwards_or_cannot_be_read_is_refused(String period, String words) {
        assertThatThrownBy(() -> read("BEGIN:VFREEBUSY\nUID:odd\nFREEBUSY:" + period + "\nEND:VFREEBUSY\n"))
                .isInstanceOf(InvalidCalendarException.class).hasMessageStartingWith("event odd ")
                .hasMessageContaining(words);
        assertThatThrownBy(() -> read(EVENT.formatted("RDATE;VALUE=PERIOD:" + period)))
                .isInstanceOf(InvalidCalendarException.class).hasMessageStartingWith("event odd ")
                .hasMessageContaining(words);
    }

    @Test
    void busy_times_of_a_time_that_ends_before_it_begins_are_refused() throws InvalidCalendarException {
        String busy = "BEGIN:VFREEBUSY\nUID:odd\nDTSTART:20260123T000000Z\nDTEND:%s\nFREEBUSY:20260123T100000Z/PT1H\nEND:VFREEBUSY\n";

        assertThatThrownBy(() -> read(busy.formatted("20260122T000000Z")))
                .hasMessage("event odd ends before it begins");
        assertThatThrownBy(() -> read(busy.formatted("soon")))
                .hasMessageContaining("event odd has a DTEND that cannot be read");
        assertThat(read(busy.formatted("20260124T000000Z")).summary().busy()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "BEGIN:VTODO\nUID:t\nEND:VTODO\n", "BEGIN:VFREEBUSY\nUID:f\nEND:VFREEBUSY\n"})
    void a_calendar_without_an_event_blocks_nothing_and_says_so(String components) throws InvalidCalendarException {
        IcsCalendar calendar = read(components);

        assertThat(calendar.summary().busy()).isZero();
        assertThat(calendar.summary().warnings()).contains("nothing in it blocks anything in the next three years");
        assertThat(calendar.in(ZoneOffset.UTC).busyUntil(NOW)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN:VCALENDAR", "BEGIN:VCALENDAR\nVERSION:2.0\n",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20260120T100000Z\nDURATION:PT1H\n",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20260120T100000Z\nDURATION:PT1H\nEND:VEVENT\n",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20260120T100000Z\nDURATION:PT1H\nEND:VEVENT\nEND:VCALEN"})
    void a_calendar_that_was_cut_off_is_refused(String text) {
        assertThatThrownBy(() -> IcsCalendar.read(text, NOW)).isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining("cut off");
    }
}

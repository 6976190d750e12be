// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.schedule.BlackoutTimes;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IcsCalendarTest {

    private static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final TimeZone usual = TimeZone.getDefault();

    @AfterEach
    void restore() {
        TimeZone.setDefault(usual);
    }

    private static String calendar(String... events) {
        StringBuilder text = new StringBuilder("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n");
        for (String event : events) {
            text.append("BEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\n")
                    .append(event.replace("\n", "\r\n"))
                    .append("\r\nEND:VEVENT\r\n");
        }
        return text.append("END:VCALENDAR\r\n").toString();
    }

    private static BlackoutTimes read(ZoneId zone, String... events) throws InvalidCalendarException {
        return IcsCalendar.read(calendar(events), NOW).in(zone);
    }

    private static String busy(BlackoutTimes times, String at) {
        return times.busyUntil(Instant.parse(at)).map(Instant::toString).orElse("free");
    }

    @Test
    void an_event_is_busy_from_its_start_to_its_end() throws InvalidCalendarException {
        BlackoutTimes times = read(ZoneOffset.UTC, "UID:a\nDTSTART:20260120T100000Z\nDTEND:20260120T123000Z");

        assertThat(busy(times, "2026-01-20T09:59:59Z")).isEqualTo("free");
        assertThat(busy(times, "2026-01-20T10:00:00Z")).isEqualTo("2026-01-20T12:30:00Z");
        assertThat(busy(times, "2026-01-20T12:30:00Z")).isEqualTo("free");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "America/Los_Angeles", "Pacific/Auckland"})
    void whole_days_are_those_of_the_schedules_zone_wherever_the_process_runs(String machine)
            throws InvalidCalendarException {
        TimeZone.setDefault(TimeZone.getTimeZone(machine));
        BlackoutTimes times = read(BERLIN, "UID:a\nDTSTART;VALUE=DATE:20260501",
                "UID:b\nDTSTART;VALUE=DATE:20251224\nDTEND;VALUE=DATE:20251227\nRRULE:FREQ=YEARLY;UNTIL=20281224");

        assertThat(busy(times, "2026-04-30T21:59:59Z")).isEqualTo("free");
        assertThat(busy(times, "2026-04-30T22:00:00Z")).isEqualTo("2026-05-01T22:00:00Z");
        assertThat(busy(times, "2026-12-25T10:00:00Z")).isEqualTo("2026-12-26T23:00:00Z");
        assertThat(busy(times, "2028-12-24T10:00:00Z")).isEqualTo("2028-12-26T23:00:00Z");
        assertThat(busy(times, "2029-12-24T10:00:00Z")).isEqualTo("free");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "America/Los_Angeles"})
    void a_weekly_event_stays_at_its_hour_when_the_clocks_change(String machine) throws InvalidCalendarException {
        TimeZone.setDefault(TimeZone.getTimeZone(machine));
        BlackoutTimes times = read(ZoneOffset.UTC, """
                UID:a
                DTSTART;TZID=Europe/Berlin:20260302T090000
                DTEND;TZID=Europe/Berlin:20260302T100000
                RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260406T070000Z
                EXDATE;TZID=Europe/Berlin:20260316T090000""");

        assertThat(busy(times, "2026-03-09T08:30:00Z")).isEqualTo("2026-03-09T09:00:00Z");
        assertThat(busy(times, "2026-03-16T08:30:00Z")).isEqualTo("free");
        assertThat(busy(times, "2026-03-30T07:30:00Z")).isEqualTo("2026-03-30T08:00:00Z");
        assertThat(busy(times, "2026-03-30T08:30:00Z")).isEqualTo("free");
        assertThat(busy(times, "2026-04-06T07:30:00Z")).isEqualTo("2026-04-06T08:00:00Z");
        assertThat(busy(times, "2026-04-13T07:30:00Z")).isEqualTo("free");
    }

    @Test
    void one_occurrence_that_was_moved_is_busy_at_its_new_time_only() throws InvalidCalendarException {
        BlackoutTimes times = read(ZoneOffset.UTC,
                "UID:a\nDTSTART:20260105T090000Z\nDTEND:20260105T100000Z\nRRULE:FREQ=DAILY",
                "UID:a\nRECURRENCE-ID:20260110T090000Z\nDTSTART:20260110T140000Z\nDTEND:20260110T150000Z");

        assertThat(busy(times, "2026-01-09T09:30:00Z")).isNotEqualTo("free");
        assertThat(busy(times, "2026-01-10T09:30:00Z")).isEqualTo("free");
        assertThat(busy(times, "2026-01-10T14:30:00Z")).isEqualTo("2026-01-10T15:00:00Z");
    }

    @Test
    void what_is_cancelled_or_transparent_is_free_and_overlaps_are_one_busy_time() throws InvalidCalendarException {
        BlackoutTimes times = read(ZoneOffset.UTC,
                "UID:a\nDTSTART:20260120T100000Z\nDTEND:20260120T110000Z\nSTATUS:CANCELLED",
                "UID:b\nDTSTART:20260121T100000Z\nDTEND:20260121T110000Z\nTRANSP:TRANSPARENT",
                "UID:c\nDTSTART:20260122T100000Z\nDURATION:PT1H",
                "UID:d\nDTSTART:20260122T103000Z\nDURATION:PT2H");

        assertThat(busy(times, "2026-01-20T10:30:00Z")).isEqualTo("free");
        assertThat(busy(times, "2026-01-21T10:30:00Z")).isEqualTo("free");
        assertThat(busy(times, "2026-01-22T10:15:00Z")).isEqualTo("2026-01-22T12:30:00Z");
    }

    @Test
    void a_zone_that_the_calendar_describes_is_used() throws InvalidCalendarException {
        String zone = """
                BEGIN:VTIMEZONE
                TZID:Our Office
                BEGIN:STANDARD
                DTSTART:19700101T000000
                TZOFFSETFROM:+0300
                TZOFFSETTO:+0300
                END:STANDARD
                END:VTIMEZONE
                BEGIN:VEVENT""".replace("\n", "\r\n");
        String text = calendar("UID:a\nDTSTART;TZID=Our Office:20260120T100000\nDURATION:PT1H")
                .replace("BEGIN:VEVENT", zone);

        BlackoutTimes times = IcsCalendar.read(text, NOW).in(ZoneOffset.UTC);

        assertThat(busy(times, "2026-01-20T07:30:00Z")).isEqualTo("2026-01-20T08:00:00Z");
    }

    @Test
    void what_cannot_be_relied_on_is_refused() {
        String begin = "UID:a\nDTSTART:20260120T100000Z\nDURATION:PT1M\nRRULE:";

        assertThatThrownBy(() -> IcsCalendar.read("hello", NOW)).isInstanceOf(InvalidCalendarException.class);
        assertThatThrownBy(() -> IcsCalendar.read("", NOW)).isInstanceOf(InvalidCalendarException.class);
        assertThatThrownBy(() -> read(BERLIN)).hasMessageContaining("no VEVENT");
        assertThatThrownBy(() -> read(BERLIN, "UID:a\nSUMMARY:x")).hasMessageContaining("DTSTART");
        assertThatThrownBy(() -> read(BERLIN, begin + "FREQ=SECONDLY")).hasMessageContaining("too often");
        assertThatThrownBy(() -> read(BERLIN, begin + "FREQ=SOMETIMES")).hasMessageContaining("RRULE");
        assertThatThrownBy(() -> read(BERLIN, begin + "FREQ=HOURLY;BYMINUTE=1,3,5,7,9,11,13,15"))
                .hasMessageContaining("occurrences");
        assertThatThrownBy(() -> read(BERLIN, "UID:a\nDTSTART;TZID=Atlantis/City:20260120T100000\nDURATION:PT1H"))
                .hasMessageContaining("Atlantis/City");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.StoredCalendar.CalendarSummary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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

    private static String shared(String name) throws IOException {
        try (InputStream text = IcsCalendarTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        }
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
    @ValueSource(strings = {"DTEND;VALUE=DATE:20260501", "DURATION:P0D", "DURATION:PT0S", "DTEND:20260501T000000",
        "DTEND;VALUE=DATE:20260502", ""})
    void a_whole_day_that_ends_when_it_begins_is_that_day(String end) throws InvalidCalendarException {
        BlackoutTimes times = read(BERLIN,
                "UID:a\nDTSTART;VALUE=DATE:20260501\nRRULE:FREQ=YEARLY\nRDATE;VALUE=DATE:20260604\n"
                        + "EXDATE;VALUE=DATE:20280501\n" + end,
                "UID:a\nRECURRENCE-ID;VALUE=DATE:20270501\nDTSTART;VALUE=DATE:20270503\n"
                        + end.replace("20260501", "20270503").replace("20260502", "20270504"));

        assertThat(busy(times, "2026-04-30T21:59:59Z")).isEqualTo("free");
        assertThat(busy(times, "2026-04-30T22:00:00Z")).isEqualTo("2026-05-01T22:00:00Z");
        assertThat(busy(times, "2026-06-04T10:00:00Z")).isEqualTo("2026-06-04T22:00:00Z");
        assertThat(busy(times, "2027-05-01T10:00:00Z")).isEqualTo("free");
        assertThat(busy(times, "2027-05-03T10:00:00Z")).isEqualTo("2027-05-03T22:00:00Z");
        assertThat(busy(times, "2028-05-01T10:00:00Z")).isEqualTo("free");
        assertThat(busy(times, "2029-05-01T10:00:00Z")).isEqualTo("2029-05-01T22:00:00Z");
    }

    @Test
    void whole_days_of_a_series_that_is_other_from_one_on_are_those_days() throws InvalidCalendarException {
        BlackoutTimes times = read(ZoneOffset.UTC,
                "UID:a\nDTSTART;VALUE=DATE:20260105\nDTEND;VALUE=DATE:20260105\nRRULE:FREQ=WEEKLY",
                "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260119\nDTSTART;VALUE=DATE:20260120\n"
                        + "DTEND;VALUE=DATE:20260120");

        assertThat(busy(times, "2026-01-12T23:00:00Z")).isEqualTo("2026-01-13T00:00:00Z");
        assertThat(busy(times, "2026-01-19T10:00:00Z")).isEqualTo("free");
        assertThat(busy(times, "2026-01-27T10:00:00Z")).isEqualTo("2026-01-28T00:00:00Z");
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
        assertThatThrownBy(() -> read(BERLIN, "UID:a\nSUMMARY:x")).hasMessageContaining("DTSTART");
        assertThatThrownBy(() -> read(BERLIN, begin + "FREQ=SECONDLY")).hasMessageContaining("too often");
        assertThatThrownBy(() -> read(BERLIN, begin + "FREQ=SOMETIMES")).hasMessageContaining("RRULE");
        assertThatThrownBy(() -> read(BERLIN, begin + "FREQ=HOURLY;BYMINUTE=1,3,5,7,9,11,13,15"))
                .hasMessageContaining("occurrences");
        assertThatThrownBy(() -> read(BERLIN, "UID:a\nDTSTART;TZID=Atlantis/City:20260120T100000\nDURATION:PT1H"))
                .hasMessageContaining("Atlantis/City");
    }

    @Test
    void a_described_zone_is_right_on_the_days_when_its_clocks_change() throws Exception {
        IcsCalendar outlook = IcsCalendar.read(shared("s2-outlook.ics"), NOW);
        IcsCalendar control = IcsCalendar.read(shared("s2-control.ics"), NOW);

        for (String at : List.of("2027-03-28T11:59:59Z", "2027-03-28T12:00:00Z", "2027-03-28T12:30:00Z",
                "2027-03-28T13:00:00Z", "2027-03-28T13:30:00Z", "2027-10-31T12:30:00Z")) {
            assertThat(busy(outlook.in(ZoneOffset.UTC), at)).as(at)
                    .isEqualTo(busy(control.in(ZoneOffset.UTC), at));
        }
        assertThat(busy(outlook.in(ZoneOffset.UTC), "2027-03-28T12:30:00Z")).isEqualTo("2027-03-28T13:30:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"20270328", "20270329", "20271031", "20271101", "20260701", "20261215"})
    void a_described_zone_is_the_one_that_java_knows_at_every_hour_of_such_days(String day) throws Exception {
        StringBuilder described = new StringBuilder();
        StringBuilder known = new StringBuilder();
        String zone = shared("s2-outlook.ics");
        String vtimezone = zone.substring(zone.indexOf("BEGIN:VTIMEZONE"), zone.indexOf("BEGIN:VEVENT"));
        for (int hour = 0; hour < 24; hour++) {
            String event = "BEGIN:VEVENT\r\nUID:h" + hour + "\r\nDTSTART;TZID=ZONE:" + day + "T"
                    + String.format(Locale.ROOT, "%02d", hour) + "3000\r\nDURATION:PT10M\r\nEND:VEVENT\r\n";
            described.append(event.replace("ZONE", "W. Europe Standard Time"));
            known.append(event.replace("ZONE", "Europe/Berlin"));
        }
        String frame = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n%sEND:VCALENDAR\r\n";
        BlackoutTimes one = IcsCalendar.read(frame.formatted(vtimezone + described), NOW).in(ZoneOffset.UTC);
        BlackoutTimes other = IcsCalendar.read(frame.formatted(known.toString()), NOW).in(ZoneOffset.UTC);

        Instant begin = LocalDate.parse(day, DateTimeFormatter.BASIC_ISO_DATE).atStartOfDay()
                .toInstant(ZoneOffset.UTC).minusSeconds(10_800);
        for (int minutes = 0; minutes < 30 * 60; minutes += 5) {
            Instant at = begin.plusSeconds(60L * minutes);
            assertThat(one.busyUntil(at)).as("%s", at).isEqualTo(other.busyUntil(at));
        }
    }

    @Test
    void a_byte_order_mark_is_no_content() throws Exception {
        IcsCalendar read = IcsCalendar.read(shared("s4-bom.ics"), NOW);

        assertThat(read.summary().busy()).isPositive();
    }

    @Test
    void a_series_that_was_changed_from_one_day_on_is_followed_before_and_after() throws Exception {
        BlackoutTimes times = IcsCalendar.read(shared("s5-this-and-future.ics"), NOW).in(ZoneOffset.UTC);

        for (String day : List.of("01", "08")) {
            assertThat(busy(times, "2026-12-" + day + "T09:30:00Z")).isEqualTo("2026-12-" + day + "T11:00:00Z");
            assertThat(busy(times, "2026-12-" + day + "T14:30:00Z")).isEqualTo("free");
        }
        for (String day : List.of("15", "22", "29")) {
            assertThat(busy(times, "2026-12-" + day + "T09:30:00Z")).isEqualTo("free");
            assertThat(busy(times, "2026-12-" + day + "T14:30:00Z")).isEqualTo("2026-12-" + day + "T16:00:00Z");
        }
    }

    @Test
    void a_changed_series_may_move_to_another_day_end_or_become_longer() throws InvalidCalendarException {
        String master = "UID:a\nDTSTART;TZID=Europe/Berlin:20260105T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;BYDAY=MO"
                + "\nEXDATE;TZID=Europe/Berlin:20260202T090000";
        BlackoutTimes moved = read(ZoneOffset.UTC, master,
                "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260119T080000Z\nDTSTART:20260120T080000Z\nDURATION:PT3H",
                "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin;RANGE=THISANDFUTURE:20260216T090000\nSTATUS:CANCELLED"
                        + "\nDTSTART;TZID=Europe/Berlin:20260216T090000");

        assertThat(busy(moved, "2026-01-12T08:30:00Z")).isEqualTo("2026-01-12T09:00:00Z");
        assertThat(busy(moved, "2026-01-19T08:30:00Z")).isEqualTo("free");
        assertThat(busy(moved, "2026-01-27T08:30:00Z")).isEqualTo("2026-01-27T11:00:00Z");
        assertThat(busy(moved, "2026-02-03T08:30:00Z")).as("left out before it was moved").isEqualTo("free");
        assertThat(busy(moved, "2026-02-10T08:30:00Z")).isEqualTo("2026-02-10T11:00:00Z");
        assertThat(busy(moved, "2026-02-17T08:30:00Z")).isEqualTo("free");
    }

    @Test
    void an_occurrence_may_be_named_in_utc_or_by_its_day() throws InvalidCalendarException {
        String master = "UID:a\nDTSTART;TZID=Europe/Berlin:20260105T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY";
        String moved = "\nDTSTART:20260110T140000Z\nDURATION:PT1H";

        for (String name : List.of("RECURRENCE-ID:20260110T080000Z", "RECURRENCE-ID;VALUE=DATE:20260110")) {
            BlackoutTimes times = read(ZoneOffset.UTC, master, "UID:a\n" + name + moved);
            assertThat(busy(times, "2026-01-10T08:30:00Z")).as(name).isEqualTo("free");
            assertThat(busy(times, "2026-01-10T14:30:00Z")).isEqualTo("2026-01-10T15:00:00Z");
        }
    }

    @Test
    void busy_times_without_events_and_periods_block_for_as_long_as_they_say() throws InvalidCalendarException {
        String text = calendar("UID:a\nDTSTART:20260120T100000Z\nDURATION:PT1H\n"
                + "RDATE;VALUE=PERIOD:20260121T100000Z/20260121T140000Z,20260122T100000Z/PT2H")
                .replace("END:VCALENDAR", "BEGIN:VFREEBUSY\r\nUID:f\r\nFREEBUSY:20260123T100000Z/PT30M\r\n"
                        + "FREEBUSY;FBTYPE=FREE:20260124T100000Z/PT30M\r\nEND:VFREEBUSY\r\nEND:VCALENDAR");
        BlackoutTimes times = IcsCalendar.read(text, NOW).in(ZoneOffset.UTC);

        assertThat(busy(times, "2026-01-20T10:30:00Z")).isEqualTo("2026-01-20T11:00:00Z");
        assertThat(busy(times, "2026-01-21T10:30:00Z")).isEqualTo("2026-01-21T14:00:00Z");
        assertThat(busy(times, "2026-01-22T10:30:00Z")).isEqualTo("2026-01-22T12:00:00Z");
        assertThat(busy(times, "2026-01-23T10:15:00Z")).isEqualTo("2026-01-23T10:30:00Z");
        assertThat(busy(times, "2026-01-24T10:15:00Z")).isEqualTo("free");
    }

    @Test
    void what_is_busy_and_free_is_counted_and_what_blocks_nothing_is_warned_of() throws InvalidCalendarException {
        CalendarSummary some = IcsCalendar.read(calendar("UID:a\nDTSTART:20260120T100000Z\nDURATION:PT1H",
                "UID:b\nDTSTART:20260121T100000Z\nDURATION:PT1H\nTRANSP:TRANSPARENT",
                "UID:c\nDTSTART:20260122T100000Z"), NOW).summary();
        assertThat(some.busy()).isEqualTo(1);
        assertThat(some.free()).isEqualTo(2);
        assertThat(some.warnings()).containsExactly(
                "event b is marked as free (TRANSP:TRANSPARENT), and blocks nothing",
                "event c takes no time, and blocks nothing");

        assertThat(IcsCalendar.read(calendar("UID:a\nDTSTART:20200120T100000Z\nDURATION:PT1H"), NOW).summary()
                .warnings()).containsExactly("nothing in it blocks anything in the next three years");
    }

    @Test
    void what_cannot_be_read_is_refused_with_the_name_of_its_event() {
        String timed = "UID:odd\nDTSTART:20260120T100000Z\n";
        for (String event : List.of(timed + "DTEND:20260120T090000Z", timed + "DURATION:soon",
                timed + "DURATION:PT1H\nRRULE:FREQ=SOMETIMES", timed + "DURATION:PT1H\nEXDATE:yesterday",
                timed + "DURATION:PT1H\nRDATE:tomorrow", "UID:odd\nDTSTART:now\nDURATION:PT1H",
                timed + "DURATION:PT1H\nRECURRENCE-ID;RANGE=THISANDPRIOR:20260120T100000Z",
                timed + "DURATION:PT1H\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260120T100000Z",
                timed + "DURATION:PT1H\nRECURRENCE-ID:then")) {
            assertThatThrownBy(() -> read(BERLIN, event)).as(event).isInstanceOf(InvalidCalendarException.class)
                    .hasMessageContaining("event odd");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DTSTART;VALUE=DATE:20260229", "DTSTART;VALUE=DATE:20270230", "DTSTART:20261345T100000",
        "DTSTART:20260120T250000Z", "DTSTART:20260120T106000Z", "DTSTART:20260120T100061Z",
        "DTSTART;VALUE=DATE:20270001",
        "DTSTART;TZID=Europe/Berlin:20270230T100000", "@DTEND:20260120T240000Z", "@DTEND:20260230T100000Z",
        "@DURATION:PT1H\nEXDATE:20270230T100000Z", "@DURATION:PT1H\nEXDATE;VALUE=DATE:20270230",
        "@DURATION:PT1H\nRDATE:20270230T100000Z", "@DURATION:PT1H\nRDATE;VALUE=PERIOD:20270230T100000Z/PT1H",
        "@DURATION:PT1H\nRDATE;VALUE=PERIOD:20270220T100000Z/20270230T110000Z",
        "@DURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20270230", "@DURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20270230T100000Z",
        """
                @DURATION:PT1H
                RRULE:FREQ=DAILY
                END:VEVENT
                BEGIN:VEVENT
                UID:odd
                RECURRENCE-ID:20260230T100000Z
                DTSTART:20260121T100000Z
                STATUS:CANCELLED""",
        """
                DTSTART;TZID=Ours:20260120T100000
                END:VEVENT
                BEGIN:VTIMEZONE
                TZID:Ours
                BEGIN:STANDARD
                DTSTART:19700230T000000
                TZOFFSETFROM:+0300
                TZOFFSETTO:+0300
                END:STANDARD
                END:VTIMEZONE
                BEGIN:VEVENT
                UID:b
                DTSTART:20260121T100000Z""",
        """
                @DURATION:PT1H
                END:VEVENT
                BEGIN:VFREEBUSY
                UID:odd
                FREEBUSY:20270230T100000Z/PT30M
                END:VFREEBUSY
                BEGIN:VEVENT
                UID:b
                DTSTART:20260121T100000Z""",
        """
                @DURATION:PT1H
                END:VEVENT
                BEGIN:VFREEBUSY
                UID:odd
                FREEBUSY:20270220T100000Z/20270230T100000Z
                END:VFREEBUSY
                BEGIN:VEVENT
                UID:b
                DTSTART:20260121T100000Z"""})
    void a_time_that_does_not_exist_is_refused_with_the_name_of_its_event(String times) {
        String event = "UID:odd\n" + times.replace("@", "DTSTART:20260120T100000Z\n");

        assertThatThrownBy(() -> read(BERLIN, event)).isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining("event odd").hasMessageContaining("no time that exists");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DTSTART;VALUE=DATE:20280229\nRRULE:FREQ=YEARLY", "DTSTART:20260120T100060Z\nDURATION:PT1H",
        "DTSTART:00000101T000000Z\nDURATION:PT1H\nRRULE:FREQ=YEARLY",
        "DTSTART:20260120T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=99991231",
        "DTSTART;VALUE=DATE:99991231\nRRULE:FREQ=YEARLY", "DTSTART;TZID=Europe/Berlin:20270328T023000\nDURATION:PT1H"})
    void a_rare_time_that_exists_is_taken(String times) throws InvalidCalendarException {
        assertThat(IcsCalendar.read(calendar("UID:odd\n" + times), NOW).summary().busy()).isEqualTo(1);
    }
}

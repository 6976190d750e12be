// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.schedule.BlackoutTimes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A calendar is refused by what its rules would cost, before the library follows any of them. */
class RecurrenceCostTest {

    private static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");

    private static final String ALL_TIMES = "BYHOUR=" + upTo(0, 23) + ";BYMINUTE=" + upTo(0, 59) + ";BYSECOND="
            + upTo(0, 59);

    private static String upTo(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    private static String event(String rest) {
        return "BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T000000Z\r\nDURATION:PT1S\r\n"
                + rest.replace("\n", "\r\n") + "\r\nEND:VEVENT\r\n";
    }

    private static String calendar(String content) {
        return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + content + "END:VCALENDAR\r\n";
    }

    private static IcsCalendar read(String content) throws InvalidCalendarException {
        return IcsCalendar.read(calendar(content), NOW);
    }

    @Test
    void a_rule_that_lists_every_second_of_a_year_is_refused_before_its_set_is_made() {
        assertThatThrownBy(() -> read(event("RRULE:FREQ=YEARLY;" + ALL_TIMES + ";BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMONTH="
                + upTo(1, 12) + ";BYSETPOS=-1"))).isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining("event a").hasMessageContaining("31622400 occurrences in a year")
                .hasMessageContaining("list fewer values in BYHOUR, BYMINUTE and BYSECOND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"FREQ=YEARLY;BYYEARDAY=DAYS;TIMES;BYSETPOS=-1",
        "FREQ=YEARLY;BYWEEKNO=WEEKS;BYDAY=MO,TU,WE,TH,FR,SA,SU;TIMES", "FREQ=MONTHLY;BYMONTHDAY=31;TIMES;BYSETPOS=-1",
        "FREQ=WEEKLY;BYDAY=MO,SU;TIMES;BYSETPOS=1", "FREQ=DAILY;TIMES;BYSETPOS=-1", "FREQ=HOURLY;TIMES;BYSETPOS=-1",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;TIMES", "FREQ=DAILY;BYMONTHDAY=1;BYDAY=6MO;TIMES",
        "FREQ=DAILY;TIMES;COUNT=2000000000", "FREQ=MINUTELY;INTERVAL=500", "FREQ=SECONDLY;COUNT=1"})
    void so_is_every_rule_that_gives_too_many_starts(String rule) {
        String text = rule.replace("DAYS", upTo(1, 366)).replace("WEEKS", upTo(1, 53)).replace("TIMES", ALL_TIMES);

        assertThatThrownBy(() -> read(event("RRULE:" + text))).isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining("event a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BYSETPOS=2000000000", "BYHOUR=24", "BYSECOND=1000000000", "BYMONTHDAY=32", "BYMONTH=13",
        "BYYEARDAY=-367", "BYWEEKNO=54", "BYMINUTE=60", "BYDAY=2000000000MO", "INTERVAL=2147483647", "INTERVAL=0"})
    void a_value_that_no_calendar_knows_is_refused_with_its_range(String part) {
        assertThatThrownBy(() -> read(event("RRULE:FREQ=YEARLY;" + part))).isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining(part.substring(0, part.indexOf('='))).hasMessageContaining("is between");
    }

    @Test
    void many_events_many_rules_and_many_changes_of_one_series_are_counted_together() {
        String hourly = "RRULE:FREQ=HOURLY";
        String heavy = "RRULE:FREQ=YEARLY;BYHOUR=" + upTo(0, 23) + ";BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1";
        String changes = IntStream.range(0, 500).mapToObj(number -> event(
                "RECURRENCE-ID;RANGE=THISANDFUTURE:2026%02d%02dT000000Z".formatted(1 + number / 28, 1 + number % 28))
                .replace("2026%02d".formatted(13), "202701")).limit(300).collect(Collectors.joining());

        assertThatThrownBy(() -> read(event(hourly).repeat(300))).hasMessageContaining("split it");
        assertThatThrownBy(() -> read(event(heavy).repeat(3))).hasMessageContaining("split it");
        assertThatThrownBy(() -> read(event((heavy + "\n").repeat(3).strip()))).hasMessageContaining("split it");
        assertThatThrownBy(() -> read(event(hourly) + changes)).hasMessageContaining("split it");
        assertThatThrownBy(() -> read(event(hourly).repeat(10))).hasMessageContaining("busy times in a year");
    }

    @Test
    void series_that_share_an_id_do_not_multiply_their_changes() {
        String master = event("RRULE:FREQ=YEARLY");
        String moved = event("RECURRENCE-ID:20270101T000000Z");

        String all = master.repeat(1000) + IntStream.range(0, 999)
                .mapToObj(number -> moved.replace("ID:20270101T00", "ID:%04d0101T00".formatted(2027 + number)))
                .collect(Collectors.joining());

        assertThatThrownBy(() -> read(all)).isInstanceOf(InvalidCalendarException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "FREQ=HOURLY                                              | 2026-03-04T05:00:00Z",
        "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 | 2026-03-04T05:00:00Z",
        "FREQ=HOURLY;BYMINUTE=0,15,30,45;COUNT=100                | 2026-01-01T05:15:00Z",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1            | 2026-03-31T00:00:00Z",
        "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR                      | 2026-03-13T00:00:00Z",
        "FREQ=YEARLY;BYYEARDAY=-1,100                             | 2027-12-31T00:00:00Z",
        "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH                         | 2026-11-26T00:00:00Z",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8,9,10,11,12,13,14,15,16 | 2026-01-12T16:00:00Z"})
    void what_people_write_is_followed(String rule, Instant busy) throws InvalidCalendarException {
        BlackoutTimes times = read(event("RRULE:" + rule)).in(ZoneOffset.UTC);

        assertThat(times.busyUntil(busy)).contains(busy.plusSeconds(1));
    }

    @Test
    void the_bound_counts_the_starts_that_a_year_can_have() throws Exception {
        assertThat(cost("FREQ=HOURLY").starts()).isEqualTo(366 * 24);
        assertThat(cost("FREQ=WEEKLY;BYDAY=MO;BYHOUR=8,9,10").starts()).isEqualTo(53 * 3);
        assertThat(cost("FREQ=MONTHLY;BYMONTHDAY=1,15").starts()).isEqualTo(24);
        assertThat(cost("FREQ=YEARLY").starts()).isEqualTo(1);
        assertThat(cost("FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3").starts()).isEqualTo(1);
        assertThat(cost("FREQ=YEARLY;BYHOUR=1,1,1,1").starts()).as("doubled values").isEqualTo(1);
        assertThat(cost("FREQ=YEARLY").steps()).isLessThan(100);
    }

    private static RecurrenceCost cost(String rule) throws InvalidCalendarException {
        return RecurrenceCost.of("it", biweekly.Biweekly.parse(calendar(event("RRULE:" + rule))).first().getEvents()
                .getFirst().getRecurrenceRule().getValue());
    }

    @Test
    void a_described_zone_may_not_change_its_clocks_without_end() {
        String zone = """
                BEGIN:VTIMEZONE
                TZID:Ours
                BEGIN:STANDARD
                DTSTART:19700101T000000
                TZOFFSETFROM:+0300
                TZOFFSETTO:+0200
                RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE
                END:STANDARD
                END:VTIMEZONE
                """.replace("\n", "\r\n");

        assertThatThrownBy(() -> read(zone + event("X-A:b").replace("DTSTART:20260101T000000Z",
                "DTSTART;TZID=Ours:20260101T000000"))).hasMessageContaining("time zone Ours");
    }

    @ParameterizedTest
    @ValueSource(strings = {"P2000000000W", "P99999999999999999999W", "PT9223372036854775807S", "P3000000D"})
    void an_event_that_takes_ages_is_refused(String duration) {
        assertThatThrownBy(() -> read(event("RRULE:FREQ=DAILY").replace("PT1S", duration)))
                .isInstanceOf(InvalidCalendarException.class).hasMessageContaining("event a");
    }
}

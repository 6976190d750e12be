// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.schedule.CalendarLookup.UnknownCalendarException;
import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.Schedule.Misfires;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Schedule.MisfirePolicy;
import io.redliner.controller.plan.Timing;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(ExecutionMode.CONCURRENT)
class FiringTimesTest {

    private static final AllowedHours TUESDAYS = new AllowedHours(Set.of(DayOfWeek.TUESDAY), 9 * 60, 17 * 60);

    private static Schedule schedule(@Nullable Timing timing, String zone, Duration jitter, List<AllowedHours> only,
            String... except) {
        return new Schedule(timing, ZoneId.of(zone), jitter, true, Duration.ZERO, only,
                List.of(except).stream().map(Blackout::parse).toList(),
                new Misfires(MisfirePolicy.SKIP, Duration.ofHours(1)));
    }

    private static List<String> times(Schedule schedule, CalendarLookup calendars, String from, int count) {
        Instant after = ZonedDateTime.of(LocalDateTime.parse(from), schedule.zone()).toInstant();
        FiringTimes firings = new FiringTimes(schedule, calendars, "plan", after);
        List<String> times = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Optional<Instant> next = firings.next(after);
            if (next.isEmpty()) {
                break;
            }
            after = next.get();
            times.add(after.atZone(schedule.zone()).toOffsetDateTime().toString());
        }
        return times;
    }

    private static List<String> cron(String expression, String zone, String from, int count) {
        return times(schedule(new Timing.Cron(expression), zone, Duration.ZERO, List.of()), CalendarLookup.NONE, from,
                count);
    }

    @Test
    void follows_the_expression_in_its_zone() {
        assertThat(cron("0 9 * * TUE", "Europe/Berlin", "2026-01-01T00:00:00", 2))
                .containsExactly("2026-01-06T09:00+01:00", "2026-01-13T09:00+01:00");
        assertThat(cron("*/20 8-9 1,15 JAN,JUN *", "UTC", "2026-01-15T09:30:00", 2))
                .containsExactly("2026-01-15T09:40Z", "2026-06-01T08:00Z");
        assertThat(cron("0 0 * * 7", "UTC", "2026-01-01T00:00:00", 1)).containsExactly("2026-01-04T00:00Z");
        assertThat(cron("0 0 * * 0", "UTC", "2026-01-01T00:00:00", 1)).containsExactly("2026-01-04T00:00Z");
    }

    @Test
    void either_kind_of_day_is_enough_as_in_unix() {
        assertThat(cron("0 9 13 * FRI", "UTC", "2026-01-08T00:00:00", 3))
                .containsExactly("2026-01-09T09:00Z", "2026-01-13T09:00Z", "2026-01-16T09:00Z");
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berlin,2026-03-28T12:00:00,2026-03-29T03:00+02:00,2026-03-30T02:30+02:00",
        "America/New_York,2026-03-07T12:00:00,2026-03-08T03:00-04:00,2026-03-09T02:30-04:00",
        "America/Santiago,2026-09-05T12:00:00,2026-09-06T02:30-03:00,2026-09-07T02:30-03:00",
        "Australia/Lord_Howe,2026-10-03T12:00:00,2026-10-04T02:30+11:00,2026-10-05T02:30+11:00"})
    void a_time_that_the_clock_skips_is_when_it_skips(String zone, String from, String first, String second) {
        assertThat(cron("30 2 * * *", zone, from, 2)).containsExactly(first, second);
    }

    @Test
    void midnight_that_does_not_exist_is_at_one() {
        assertThat(cron("0 0 * * *", "America/Santiago", "2026-09-05T12:00:00", 2))
                .containsExactly("2026-09-06T01:00-03:00", "2026-09-07T00:00-03:00");
        assertThat(cron("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00", 2))
                .containsExactly("2026-10-04T02:30+11:00", "2026-10-05T02:15+11:00");
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berlin,2026-10-24T12:00:00,2026-10-25T02:30+02:00,2026-10-26T02:30+01:00",
        "America/New_York,2026-10-31T12:00:00,2026-11-01T02:30-05:00,2026-11-02T02:30-05:00",
        "Asia/Kolkata,2026-10-24T12:00:00,2026-10-25T02:30+05:30,2026-10-26T02:30+05:30"})
    void a_time_that_the_clock_shows_twice_comes_once(String zone, String from, String first, String second) {
        assertThat(cron("30 2 * * *", zone, from, 2)).containsExactly(first, second);
    }

    @Test
    void an_hour_shown_twice_in_new_york_comes_once() {
        assertThat(cron("30 1 * * *", "America/New_York", "2026-10-31T12:00:00", 2))
                .containsExactly("2026-11-01T01:30-04:00", "2026-11-02T01:30-05:00");
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca",
        "Pacific/Chatham", "Asia/Tehran", "UTC"})
    void firings_only_go_forward_and_days_have_one_each_through_a_year_of_clock_changes(String zone) {
        goForwardAndDaysHaveOneEach(zone, 400);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca",
        "Pacific/Chatham", "Asia/Tehran", "UTC"})
    void firings_only_go_forward_and_days_have_one_each_through_years_of_clock_changes(String zone) {
        goForwardAndDaysHaveOneEach(zone, 800);
    }

    private static void goForwardAndDaysHaveOneEach(String zone, int days) {
        for (String expression : List.of("30 2 * * *", "0 0 * * *", "30 1 * * *", "15 3 * * *")) {
            FiringTimes firings = new FiringTimes(
                    schedule(new Timing.Cron(expression), zone, Duration.ofMinutes(20), List.of()), CalendarLookup.NONE,
                    "plan", Instant.EPOCH);
            Instant at = Instant.parse("2025-01-01T12:00:00Z");
            Set<String> seen = new HashSet<>();
            for (int number = 0; number < days; number++) {
                Instant next = firings.next(at).orElseThrow();
                assertThat(next).isAfter(at);
                assertThat(Duration.between(at, next)).isLessThan(Duration.ofHours(27));
                assertThat(seen.add(next.atZone(ZoneId.of(zone)).toLocalDate().toString())).isTrue();
                at = next;
            }
        }
    }

    @Test
    void an_interval_is_counted_from_its_anchor_and_waits_for_open_hours() {
        Schedule free = schedule(new Timing.Every(Duration.ofHours(6)), "UTC", Duration.ZERO, List.of());
        Schedule tuesdays = schedule(new Timing.Every(Duration.ofHours(6)), "UTC", Duration.ZERO, List.of(TUESDAYS));

        assertThat(times(free, CalendarLookup.NONE, "2026-01-01T01:30:00", 2)).containsExactly("2026-01-01T07:30Z",
                "2026-01-01T13:30Z");
        assertThat(times(tuesdays, CalendarLookup.NONE, "2026-01-01T01:30:00", 3)).containsExactly("2026-01-06T09:00Z",
                "2026-01-06T13:30Z", "2026-01-13T09:00Z");
    }

    @Test
    void hours_and_named_days_are_left_out() {
        Schedule hourly = schedule(new Timing.Cron("0 * * * *"), "Europe/Berlin", Duration.ZERO, List.of(TUESDAYS),
                "quarter-end: 5d", "2026-04-07", "2026-04-10/2026-04-20");

        assertThat(times(hourly, CalendarLookup.NONE, "2026-03-24T15:30:00", 3)).containsExactly(
                "2026-03-24T16:00+01:00",
                "2026-04-21T09:00+02:00", "2026-04-21T10:00+02:00");
    }

    @Test
    void hours_over_midnight_belong_to_the_day_on_which_they_begin() {
        AllowedHours night = new AllowedHours(Set.of(DayOfWeek.FRIDAY), 22 * 60, 2 * 60);

        assertThat(times(schedule(new Timing.Cron("30 * * * *"), "UTC", Duration.ZERO, List.of(night)),
                CalendarLookup.NONE,
                "2026-01-01T00:00:00", 5)).containsExactly("2026-01-02T22:30Z", "2026-01-02T23:30Z",
                        "2026-01-03T00:30Z", "2026-01-03T01:30Z", "2026-01-09T22:30Z");
    }

    @Test
    void busy_times_of_a_calendar_are_left_out_and_a_missing_calendar_is_not_ignored() {
        Instant busyFrom = Instant.parse("2026-01-01T10:00:00Z");
        Instant busyTo = Instant.parse("2026-01-01T12:30:00Z");
        BlackoutTimes busy = at -> at.isBefore(busyFrom) || !at.isBefore(busyTo)
                ? Optional.empty()
                : Optional.of(busyTo);
        Schedule schedule = schedule(new Timing.Cron("0 * * * *"), "UTC", Duration.ZERO, List.of(), "holidays");

        assertThat(times(schedule, (name, zone) -> Optional.ofNullable(Map.of("holidays", busy).get(name)),
                "2026-01-01T08:30:00", 2)).containsExactly("2026-01-01T09:00Z", "2026-01-01T13:00Z");
        assertThatThrownBy(() -> times(schedule, CalendarLookup.NONE, "2026-01-01T08:30:00", 2))
                .isInstanceOf(UnknownCalendarException.class)
                .hasMessageContaining("holidays");
    }

    @Test
    void jitter_is_the_same_for_all_spreads_plans_and_never_leaves_the_open_hours() {
        Schedule schedule = schedule(new Timing.Cron("50 16 * * TUE"), "UTC", Duration.ofHours(2), List.of(TUESDAYS));
        Instant from = Instant.parse("2026-01-01T00:00:00Z");
        Instant time = Instant.parse("2026-01-06T16:50:00Z");
        Set<Instant> seen = new HashSet<>();
        for (int number = 0; number < 200; number++) {
            Instant one = new FiringTimes(schedule, CalendarLookup.NONE, "plan-" + number, from).next(from)
                    .orElseThrow();
            Instant same = new FiringTimes(schedule, CalendarLookup.NONE, "plan-" + number, Instant.EPOCH)
                    .next(one.minusNanos(1))
                    .orElseThrow();
            assertThat(same).isEqualTo(one);
            assertThat(one).isBetween(time, Instant.parse("2026-01-06T16:59:59.999Z"));
            seen.add(one);
        }
        assertThat(seen).hasSizeGreaterThan(100);
    }

    @Test
    void jitter_keeps_the_order_of_firings_and_loses_none() {
        Schedule schedule = schedule(new Timing.Cron("*/10 * * * *"), "UTC", Duration.ofHours(1), List.of());
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        FiringTimes firings = new FiringTimes(schedule, CalendarLookup.NONE, "plan", at);
        Set<Long> slots = new HashSet<>();
        for (int number = 0; number < 500; number++) {
            at = firings.next(at).orElseThrow();
            assertThat(slots.add(at.getEpochSecond() / 600)).isTrue();
        }
        assertThat(at).isBefore(Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofMinutes(5010)));
    }

    @Test
    void a_schedule_that_never_fires_is_found_quickly() {
        assertThat(cron("0 0 31 2 *", "UTC", "2026-01-01T00:00:00", 1)).isEmpty();
        assertThat(cron("0 0 29 2 *", "UTC", "2096-03-01T00:00:00", 1)).containsExactly("2104-02-29T00:00Z");
        assertThat(times(schedule(new Timing.Cron("0 8 * * *"), "UTC", Duration.ZERO, List.of(TUESDAYS)),
                CalendarLookup.NONE, "2026-01-01T00:00:00", 1)).isEmpty();
        assertThat(times(schedule(new Timing.Cron("* * * * *"), "UTC", Duration.ZERO, List.of(TUESDAYS),
                "2020-01-01/2080-01-01"), CalendarLookup.NONE, "2026-01-01T00:00:00", 1)).isEmpty();
        assertThat(times(schedule(new Timing.Cron("* * 1 1 *"), "UTC", Duration.ZERO, List.of(), "year-end:31d",
                "2020-01-01/2034-01-01"), CalendarLookup.NONE, "2026-01-01T00:00:00", 1))
                .containsExactly("2035-01-01T00:00Z");
    }

    @Test
    void the_last_days_of_a_quarter_are_its_last() {
        Blackout.PeriodEnd end = (Blackout.PeriodEnd) Blackout.parse("quarter-end: 2d");

        assertThat(end.contains(LocalDateTime.parse("2026-06-28T00:00:00").toLocalDate())).isFalse();
        assertThat(end.contains(LocalDateTime.parse("2026-06-29T00:00:00").toLocalDate())).isTrue();
        assertThat(end.contains(LocalDateTime.parse("2026-06-30T00:00:00").toLocalDate())).isTrue();
        assertThat(end.contains(LocalDateTime.parse("2026-07-01T00:00:00").toLocalDate())).isFalse();
        assertThat(end.contains(LocalDateTime.parse("2026-05-31T00:00:00").toLocalDate())).isFalse();
    }

    @Test
    void the_times_that_an_exclusion_or_a_calendar_blocks_come_with_what_blocks_them() {
        Instant holiday = Instant.parse("2026-03-10T00:00:00Z");
        CalendarLookup calendars = (name, zone) -> Optional.of(at -> at.isBefore(holiday)
                || !at.isBefore(holiday.plus(Duration.ofDays(1)))
                        ? Optional.empty()
                        : Optional.of(holiday.plus(Duration.ofDays(1))));
        Schedule daily = schedule(new Timing.Cron("0 9 * * *"), "UTC", Duration.ZERO, List.of(), "2026-03-12",
                "holidays");
        Instant from = Instant.parse("2026-03-09T00:00:00Z");

        FiringTimes firings = new FiringTimes(daily, calendars, "plan", from);

        assertThat(blocked(firings, from, 7)).containsExactly("2026-03-10T09:00:00Z holidays",
                "2026-03-12T09:00:00Z 2026-03-12");
        assertThat(blocked(firings, from, 1)).isEmpty();
    }

    private static List<String> blocked(FiringTimes firings, Instant from, int days) {
        return Stream.iterate(firings.cronTime(from), Optional::isPresent,
                time -> firings.cronTime(time.orElseThrow().at()))
                .map(Optional::orElseThrow)
                .takeWhile(time -> time.at().isBefore(from.plus(Duration.ofDays(days))))
                .flatMap(time -> time.by().stream().map(by -> time.at() + " " + by))
                .toList();
    }

    @Test
    void what_is_outside_of_the_hours_and_what_only_waits_is_not_blocked() {
        CalendarLookup always = (name, zone) -> Optional.of(at -> Optional.of(at.plus(Duration.ofHours(1))));
        Instant from = Instant.parse("2026-03-09T00:00:00Z");

        assertThat(
                blocked(new FiringTimes(schedule(new Timing.Cron("0 20 * * *"), "UTC", Duration.ZERO, List.of(TUESDAYS),
                        "holidays"), always, "plan", from), from, 7))
                .isEmpty();
        assertThat(
                blocked(new FiringTimes(schedule(new Timing.Every(Duration.ofHours(6)), "UTC", Duration.ZERO, List.of(),
                        "holidays"), always, "plan", from), from, 7))
                .isEmpty();
    }
}

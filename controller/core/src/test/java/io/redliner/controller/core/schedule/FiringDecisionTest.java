// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Schedule.Misfires;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Schedule.MisfirePolicy;
import io.redliner.controller.plan.Timing;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FiringDecisionTest {

    private static final Instant DUE = Instant.parse("2026-01-06T16:50:00Z");

    private static final Duration GRACE = Duration.ofMinutes(1);

    private static final Duration PAUSE = Duration.ofSeconds(30);

    private static Schedule schedule(MisfirePolicy missed) {
        return new Schedule(new Timing.Cron("50 16 * * *"), ZoneOffset.UTC, Duration.ZERO, false, Duration.ZERO,
                List.of(new AllowedHours(EnumSet.allOf(DayOfWeek.class), 9 * 60, 17 * 60)), List.of(),
                new Misfires(missed, Duration.ofHours(1)));
    }

    private static FiringDecision at(MisfirePolicy missed, boolean waited, Duration late) {
        return FiringDecision.of(schedule(missed), new AllowedTimes(schedule(missed), CalendarLookup.NONE), DUE, waited,
                DUE.plus(late),
                GRACE);
    }

    @Test
    void what_is_on_time_starts() {
        assertThat(at(MisfirePolicy.SKIP, false, Duration.ofSeconds(20))).isInstanceOf(FiringDecision.Start.class);
    }

    @Test
    void what_nobody_was_up_for_is_run_or_skipped_as_the_plan_says() {
        assertThat(at(MisfirePolicy.RUN, false, Duration.ofMinutes(5))).isInstanceOf(FiringDecision.Start.class);
        assertThat(((FiringDecision.Never) at(MisfirePolicy.SKIP, false, Duration.ofMinutes(5))).reason())
                .contains("nobody was up", "5m late");
        assertThat(((FiringDecision.Never) at(MisfirePolicy.RUN, false, Duration.ofMinutes(90))).reason()).contains(
                "1h30m",
                "1h");
    }

    @Test
    void what_was_refused_when_it_was_due_is_not_missed() {
        assertThat(at(MisfirePolicy.SKIP, true, Duration.ofMinutes(5))).isInstanceOf(FiringDecision.Start.class);
    }

    @Test
    void nothing_starts_late_outside_of_its_hours() {
        assertThat(((FiringDecision.Never) at(MisfirePolicy.RUN, true, Duration.ofMinutes(15))).reason())
                .contains("hours");
    }

    @Test
    void a_refusal_is_tried_again_until_it_is_too_late_or_the_next_firing_is_due() {
        Optional<Instant> next = Optional.of(DUE.plus(Duration.ofDays(1)));

        assertThat(FiringDecision.afterRefusal(schedule(MisfirePolicy.SKIP), DUE, next, DUE, PAUSE, "busy"))
                .isEqualTo(new FiringDecision.Later(DUE.plus(PAUSE), "busy"));
        assertThat(FiringDecision.afterRefusal(schedule(MisfirePolicy.SKIP), DUE, next, DUE.plus(Duration.ofHours(1)),
                PAUSE,
                "busy"))
                .isInstanceOf(FiringDecision.Never.class);
        assertThat(FiringDecision.afterRefusal(schedule(MisfirePolicy.SKIP), DUE, Optional.of(DUE.plusSeconds(20)), DUE,
                PAUSE,
                "busy")).isInstanceOf(FiringDecision.Never.class);
    }
}

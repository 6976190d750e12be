// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.controller.plan.Ppm;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HarmTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static WindowVerdict verdict(Duration window, double serviceRate) {
        return new WindowVerdict("run", 7, 1, START, window, Judgement.HOLDS, List.of(), List.of(),
                new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", 1),
                TrafficSample.NONE,
                TrafficSample.NONE,
                serviceRate, 0, null);
    }

    private static WindowVerdict harmed(int step, double requests) {
        return new WindowVerdict("run", 7, 1, START, Duration.ofSeconds(1), Judgement.HOLDS, List.of(), List.of(),
                new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", step),
                TrafficSample.NONE,
                TrafficSample.NONE, 1000, requests, null);
    }

    private static Harm sum(WindowVerdict... verdicts) {
        Harm sum = Harm.NONE;
        for (WindowVerdict verdict : verdicts) {
            sum = sum.after(verdict, verdict.advice().step(), 0);
        }
        return sum;
    }

    @Test
    void what_a_budget_is_refused_by_is_what_a_verdict_without_delay_puts_at_risk() {
        for (int millis = 100; millis <= 1500; millis++) {
            Duration window = Duration.ofMillis(millis);

            assertThat(Harm.risk(new Ppm(Ppm.WHOLE), verdict(window, 1), START.plus(window))).as("%s", window)
                    .isCloseTo(Harm.shortestRisk(window).toMillis() / 1e3, within(1e-9));
        }
    }

    @Test
    void noise_alone_spends_nothing() {
        // One slow request per second at the SUT and at its peers: Poisson(1) less 1, in each window of one step.
        Random random = new Random(23);
        Harm harm = Harm.NONE;
        for (int window = 0; window < 150; window++) {
            int slow = 0;
            for (double waited = -Math.log(random.nextDouble()); waited < 1; slow++) {
                waited -= Math.log(random.nextDouble());
            }
            harm = harm.after(harmed(3, slow - 1), 3, 0);
        }

        assertThat(harm.requests()).as("within 2.6 standard deviations of 150 windows, %s", harm).isLessThan(32);
    }

    @Test
    void a_step_that_was_better_than_the_peers_pays_for_no_other() {
        assertThat(sum(harmed(1, -20), harmed(2, 5)).requests()).isEqualTo(5);
        assertThat(sum(harmed(1, 5), harmed(2, -20)).requests()).isEqualTo(5);
        assertThat(sum(harmed(1, 5), harmed(1, -3), harmed(2, 1)).requests()).isEqualTo(3);
        assertThat(sum(harmed(1, 5), harmed(1, -3), harmed(2, 1)).ended()).as("the step under way can become less")
                .isEqualTo(2);
    }

    @Test
    void what_nobody_saw_is_not_paid_for_by_what_was_seen() {
        Harm good = sum(harmed(1, -20));

        Harm silent = good.afterSilence(new Ppm(100_000), Duration.ofSeconds(2));

        assertThat(silent.requests()).isEqualTo(200);
        assertThat(silent.after(harmed(1, -20), 1, 0).requests()).isEqualTo(200);
    }

    @Test
    void counts_every_window_that_has_passed_unjudged_into_the_risk() {
        WindowVerdict verdict = verdict(Duration.ofSeconds(1), 1000);

        // 2.5 s since the window ended, 1 s for the next and 0.2 s to act: 4 windows at 400/s, 1600 requests.
        double risk = Harm.risk(new Ppm(400_000), verdict, verdict.windowEnd().plusMillis(2500));

        assertThat(risk).isCloseTo(1600, within(1e-6));
    }

    @Test
    void a_plan_like_the_demos_has_room_to_look_for_its_limit() {
        // Allowed: 1% x 700/s x 210 s = 1470 requests. A window at 50% has 0.5 x 700/s x 0.5 s = 175 requests. A
        // verdict that comes 0.8 s after its window leaves 0.8 s + 0.5 s + 0.2 s = 1.5 s unjudged: 3 windows, 525
        // requests. So 1470 - 525 = 945 requests may be harmed first: more than five whole windows.
        Duration half = Duration.ofMillis(500);
        RunBounds bounds = new RunBounds(new Ppm(600_000), 1.5, Duration.ofSeconds(210), 0.01, half);
        WindowVerdict verdict = verdict(half, 700);

        double allowed = Harm.NONE.after(verdict, verdict.advice().step(), 0).allowed(bounds);
        double risk = Harm.risk(new Ppm(500_000), verdict, verdict.windowEnd().plusMillis(800));

        assertThat(allowed).isCloseTo(1470, within(1e-6));
        assertThat(risk).isCloseTo(525, within(1e-6));
        assertThat((allowed - risk) / 175).isGreaterThan(5);
        assertThat(Harm.risk(new Ppm(500_000), verdict, verdict.windowEnd().minusSeconds(2)))
                .as("a clock that is ahead does not make it nothing")
                .isCloseTo(175, within(1e-6));
    }

    @Test
    void no_verdict_is_fresh_for_longer_than_its_window_and_three_seconds() {
        assertThat(RunTimeouts.freshness(Duration.ofMillis(100))).isEqualTo(Duration.ofMillis(2300));
        assertThat(RunTimeouts.freshness(Duration.ofMillis(1500))).isEqualTo(Duration.ofMillis(4500));
        assertThat(RunTimeouts.watchdog(Duration.ofMillis(1500))).isLessThan(RunTimeouts.DEFAULT.leaseTtl());
    }
}

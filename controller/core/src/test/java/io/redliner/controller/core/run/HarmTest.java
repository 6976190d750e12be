// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HarmTest {

    private static final Share NATURAL = new Share(250_000);

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
            sum = sum.after(verdict, verdict.advice().step(), 0, true, NATURAL);
        }
        return sum;
    }

    @Test
    void what_a_budget_is_refused_by_is_what_a_verdict_without_delay_puts_at_risk() {
        for (int millis = 100; millis <= 1500; millis++) {
            Duration window = Duration.ofMillis(millis);

            assertThat(Harm.risk(new Share(Share.WHOLE_PPM), verdict(window, 1), START.plus(window))).as("%s", window)
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
            harm = harm.after(harmed(3, slow - 1), 3, 0, true, NATURAL);
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

        Harm silent = good.afterSilence(new Share(100_000), Duration.ofSeconds(2), true);

        assertThat(silent.requests()).isEqualTo(200);
        assertThat(silent.after(harmed(1, -20), 1, 0, true, NATURAL).requests()).isEqualTo(200);
    }

    @Test
    void counts_every_window_that_has_passed_unjudged_into_the_risk() {
        WindowVerdict verdict = verdict(Duration.ofSeconds(1), 1000);

        // 2.5 s since the window ended, 1 s for the next and 0.2 s to act: 4 windows at 400/s, 1600 requests.
        double risk = Harm.risk(new Share(400_000), verdict, verdict.windowEnd().plusMillis(2500));

        assertThat(risk).isCloseTo(1600, within(1e-6));
    }

    @Test
    void a_plan_like_the_demos_has_room_to_look_for_its_limit() {
        // Allowed: 1% x 700/s x 210 s = 1470 requests. A window at 50% has 0.5 x 700/s x 0.5 s = 175 requests. A
        // verdict that comes 0.8 s after its window leaves 0.8 s + 0.5 s + 0.2 s = 1.5 s unjudged: 3 windows, 525
        // requests. So 1470 - 525 = 945 requests may be harmed first: more than five whole windows.
        Duration half = Duration.ofMillis(500);
        RunBounds bounds = new RunBounds(new Share(600_000), 1.5, Duration.ofSeconds(210), 0.01, half);
        WindowVerdict verdict = verdict(half, 700);

        double allowed = Harm.NONE.after(verdict, verdict.advice().step(), 0, true, NATURAL).allowed(bounds);
        double risk = Harm.risk(new Share(500_000), verdict, verdict.windowEnd().plusMillis(800));

        assertThat(allowed).isCloseTo(1470, within(1e-6));
        assertThat(risk).isCloseTo(525, within(1e-6));
        assertThat((allowed - risk) / 175).isGreaterThan(5);
        assertThat(Harm.risk(new Share(500_000), verdict, verdict.windowEnd().minusSeconds(2)))
                .as("a clock that is ahead does not make it nothing")
                .isCloseTo(175, within(1e-6));
    }

    @Test
    void no_verdict_is_fresh_for_longer_than_its_window_and_three_seconds() {
        assertThat(RunTimeouts.freshness(Duration.ofMillis(100))).isEqualTo(Duration.ofMillis(2300));
        assertThat(RunTimeouts.freshness(Duration.ofMillis(1500))).isEqualTo(Duration.ofMillis(4500));
        assertThat(RunTimeouts.watchdog(Duration.ofMillis(1500))).isLessThan(RunTimeouts.DEFAULT.leaseTtl());
    }

    private static final RunBounds BOUNDS = new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01,
            Duration.ofSeconds(1));

    @Test
    void what_fails_at_the_sut_is_beside_what_would_fail_if_it_did_as_its_peers() {
        assertThat(window(Judgement.BREACHED, 7, 6.6).broken()).isEqualTo(7);
        assertThat(window(Judgement.BREACHED, 7, 6.6).brokenAtPeersRate()).isCloseTo(0.4, within(1e-9));
        assertThat(window(Judgement.HOLDS, 1, -3).brokenAtPeersRate()).as("the peers do worse").isEqualTo(4);
        assertThat(window(Judgement.HOLDS, 0, 0).brokenAtPeersRate()).isZero();
    }

    /** A window in which 100 requests of the SUT ended, so many of them broke the SLA, and so many of those beyond its peers. */
    private static WindowVerdict window(Judgement judgement, long broken, double beyondPeers) {
        return new WindowVerdict("run", 7, 1, START, Duration.ofSeconds(1), judgement, List.of(), List.of(),
                new SearchAdvice(SearchAdvice.Action.HOLD, 350, SearchAdvice.Phase.RAMPING, "hold", 1),
                new TrafficSample(100, 100, 0, 1, 0.01, 0.1, new Share(250_000)), TrafficSample.NONE, 1000, beyondPeers,
                null, null, null, broken, null);
    }

    private static long all(HarmDone done) {
        return done.byTest() + Objects.requireNonNull(done.byItself());
    }

    @Test
    void nothing_that_breaks_while_nothing_is_moved_is_the_tests() {
        Harm harm = Harm.NONE;
        for (int window = 0; window < 27; window++) {
            harm = harm.after(window(Judgement.BREACHED, 23, 22.5), 1, window == 5 ? 3 : 0, false, NATURAL);
        }
        harm = harm.afterSilence(new Share(250_000), Duration.ofSeconds(4), false);

        HarmDone done = harm.done(BOUNDS);
        assertThat(done.byTest()).isZero();
        assertThat(done.byItself()).as("no more than was seen").isEqualTo(27 * 23);
        assertThat(done.budget()).as("the service's rate is known all the same").isEqualTo(18_000);
        assertThat(done.used()).isZero();
    }

    @Test
    void both_figures_are_whole_requests_and_together_all_that_broke() {
        Harm harm = Harm.NONE.after(window(Judgement.HOLDS, 2, 0.5), 1, 0, false, NATURAL)
                .after(window(Judgement.BREACHED, 30, 22.5), 2, 0, true, NATURAL)
                .after(window(Judgement.BREACHED, 10, -4.25), 2, 0, true, NATURAL)
                .after(window(Judgement.HOLDS, 1, -7), 3, 0, true, NATURAL);

        HarmDone done = harm.done(BOUNDS);
        assertThat(harm.requests()).isEqualTo(18.25);
        assertThat(done.byTest()).as("rounded up").isEqualTo(19);
        assertThat(all(done)).isEqualTo(2 + 30 + 10 + 1);
    }

    @Test
    void what_a_share_leaves_behind_is_the_tests_until_the_sut_has_recovered() {
        Harm moved = Harm.NONE.after(window(Judgement.BREACHED, 50, 40), 1, 0, true, NATURAL);

        Harm queue = moved.after(window(Judgement.BREACHED, 30, 30), 2, 0, false, NATURAL);
        assertThat(queue.requests()).as("back at natural, and still ill").isEqualTo(70);
        Harm unknown = queue.after(window(Judgement.INCONCLUSIVE, 20, 20), 2, 1, false, NATURAL);
        assertThat(unknown.requests()).as("a lost window and one without an answer are no recovery")
                .isEqualTo(70 + 100 + 20);
        Harm well = unknown.after(window(Judgement.HOLDS, 5, 5), 2, 0, false, NATURAL);
        assertThat(well.requests()).isEqualTo(190);
        assertThat(well.moved()).isFalse();
        assertThat(well.after(window(Judgement.BREACHED, 60, 60), 2, 4, false, NATURAL).requests())
                .as("what comes later has another reason").isEqualTo(190);
        assertThat(well.afterSilence(new Share(250_000), Duration.ofSeconds(2), false)).isEqualTo(well);
    }

    @Test
    void a_window_no_worse_than_the_peers_is_a_recovery_although_the_rules_have_no_answer() {
        Harm moved = Harm.NONE.after(window(Judgement.BREACHED, 50, 40), 1, 0, true, NATURAL);

        assertThat(moved.after(window(Judgement.INCONCLUSIVE, 0, -1), 2, 0, false, NATURAL).moved()).isFalse();
        assertThat(moved.after(harmed(2, 0), 2, 0, false, NATURAL).moved()).as("it holds").isFalse();
        WindowVerdict unseen = new WindowVerdict("run", 7, 1, START, Duration.ofSeconds(1), Judgement.INCONCLUSIVE,
                List.of(), List.of(), harmed(2, 0).advice(), TrafficSample.NONE, TrafficSample.NONE, 1000, 0, null);
        assertThat(moved.after(unseen, 2, 0, false, NATURAL).moved()).as("nobody reported the SUT").isTrue();
    }

    @Test
    void what_the_sut_breaks_by_itself_at_its_natural_share_is_not_the_tests() {
        // 10 of 100 requests beyond the peers at the natural 250 of 1000/s, of which a window has seen 100.
        Harm harm = Harm.NONE;
        for (int window = 0; window < 100; window++) {
            harm = harm.after(window(Judgement.HOLDS, 10, 10), 1, 0, false, NATURAL);
        }
        assertThat(harm.done(BOUNDS).byItself()).isEqualTo(1000);

        for (int window = 0; window < 10; window++) {
            harm = harm.after(window(Judgement.BREACHED, 40, 40), 2, 0, true, NATURAL);
        }

        assertThat(harm.requests()).as("the budget pays for all that the peers would not have broken").isEqualTo(400);
        assertThat(harm.done(BOUNDS).byTest()).as("10 less two deviations of 0.45 in each window by itself")
                .isBetween(300L, 310L);
        assertThat(all(harm.done(BOUNDS))).isEqualTo(1400);
    }

    @Test
    void a_few_bad_requests_of_a_baseline_excuse_nothing() {
        Harm harm = Harm.NONE.after(window(Judgement.HOLDS, 6, 6), 1, 0, false, NATURAL)
                .after(window(Judgement.BREACHED, 40, 40), 2, 0, true, NATURAL);

        assertThat(harm.done(BOUNDS).byTest()).as("6 can be chance").isEqualTo(40);
    }

    @Test
    void a_sut_that_is_better_when_moved_than_by_itself_costs_nothing() {
        Harm harm = Harm.NONE;
        for (int window = 0; window < 100; window++) {
            harm = harm.after(window(Judgement.HOLDS, 10, 10), 1, 0, false, NATURAL);
        }

        harm = harm.after(window(Judgement.HOLDS, 5, 5), 2, 0, true, NATURAL);

        assertThat(harm.done(BOUNDS).byTest()).isZero();
        assertThat(harm.done(BOUNDS).byItself()).isEqualTo(1005);
    }

    @Test
    void the_harm_of_a_baseline_is_no_cost_of_the_run_and_of_a_raised_share_it_is() {
        RunScenario scenario = new RunScenario();
        scenario.baseline();

        scenario.harmed(Judgement.HOLDS, 23, 22.5, 250);
        assertThat(scenario.state().harm().byTest()).as("at 25% of natural 25%").isZero();
        assertThat(scenario.state().harm().byItself()).isEqualTo(23);
        scenario.harmed(Judgement.HOLDS, 5, 5, 400);
        assertThat(scenario.share()).isEqualTo(new Share(400_000));
        scenario.harmed(Judgement.HOLDS, 60, 55, 400);

        assertThat(scenario.state().harm().byTest()).as("some of them it breaks by itself").isBetween(50L, 54L);
        assertThat(all(scenario.state().harm())).isEqualTo(23 + 5 + 60);
    }

    @Test
    void a_long_pause_of_a_sut_that_is_ill_by_itself_costs_the_run_nothing() {
        RunScenario scenario = new RunScenario();
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        for (int window = 0; window < 4; window++) {
            scenario.harmed(Judgement.HOLDS, 0, 0, 400);
        }
        long before = scenario.state().harm().byTest();

        for (int window = 0; window < 100; window++) {
            scenario.harmed(Judgement.INCONCLUSIVE, 200, 200, 400);
        }

        assertThat(scenario.phase()).as("its budget of 18 000 pays for this pause").isEqualTo(RunPhase.PAUSED);
        assertThat(scenario.state().harm().byTest()).isEqualTo(before);
        assertThat(scenario.state().harm().byItself()).isEqualTo(20_000);
    }
}

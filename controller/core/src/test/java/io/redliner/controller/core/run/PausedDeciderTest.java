// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PausedDeciderTest {

    private final RunScenario scenario = new RunScenario();

    @Test
    void a_pause_takes_traffic_back_at_once_and_tells_the_analyzer() {
        scenario.ramping(400);

        scenario.decide(new RunEvent.PauseRequested("a deployment"));

        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
        assertThat(scenario.commands()).containsExactly(new RunCommand.SendLease(scenario.lease()),
                new RunCommand.PublishRun(RunPhase.PAUSED));
    }

    @Test
    void a_paused_run_stays_natural_whatever_the_search_asks_for() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));

        scenario.healthy(500);
        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.DONE, 500);

        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void a_resumed_run_goes_on_where_it_was_and_climbs_by_its_raise() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        scenario.healthy(400);

        scenario.decide(new RunEvent.ResumeRequested("done"));
        assertThat(scenario.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
        scenario.healthy(600);

        assertThat(scenario.share().ppm()).isEqualTo(2 * RunScenario.NATURAL.ppm());
    }

    @Test
    void a_paused_run_still_ends_by_its_guards_its_duration_and_lost_telemetry() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        scenario.silentFor(5);

        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void a_pause_in_the_baseline_goes_back_to_it() {
        scenario.baseline();
        scenario.decide(new RunEvent.PauseRequested("wait"));
        scenario.decide(new RunEvent.PauseRequested("wait again"));

        scenario.decide(new RunEvent.ResumeRequested("go"));

        assertThat(scenario.phase()).isEqualTo(RunPhase.BASELINE);
        assertThat(scenario.commands()).containsExactly(new RunCommand.PublishRun(RunPhase.BASELINE));
    }

    static Stream<Redirect> partial() {
        return Stream.of(
                new Redirect(RedirectMode.SPLIT, null, null, List.of(new Cohort("shop", List.of(),
                        new PathMatch(PathMatch.Kind.PREFIX, "/shop"), List.of()))),
                new Redirect(RedirectMode.ENDPOINT_WEIGHT, null, null, List.of(new Cohort("get", List.of(), null,
                        List.of("GET")))),
                new Redirect(RedirectMode.HASH, new RoutingAttribute(RoutingAttribute.Source.COOKIE, "id"), null,
                        List.of()),
                new Redirect(RedirectMode.MODULO, new RoutingAttribute(RoutingAttribute.Source.HEADER, "id"), 100,
                        List.of()));
    }

    @ParameterizedTest
    @MethodSource("partial")
    void where_a_lease_leaves_requests_out_a_pause_and_its_end_are_leases_of_their_own(Redirect redirect) {
        RunScenario cohorts = RunScenario.redirecting(redirect);
        cohorts.baseline();

        cohorts.decide(new RunEvent.PauseRequested("a deployment"));
        Lease pause = cohorts.lease();
        assertThat(cohorts.commands()).containsExactly(new RunCommand.SendLease(pause),
                new RunCommand.PublishRun(RunPhase.PAUSED));

        cohorts.after(Duration.ofSeconds(1));
        cohorts.decide(new RunEvent.ResumeRequested("done"));
        assertThat(cohorts.lease().sequence()).isGreaterThan(pause.sequence());
        assertThat(cohorts.lease().epoch()).isEqualTo(pause.epoch());
        assertThat(cohorts.share()).isEqualTo(RunScenario.NATURAL);
        assertThat(cohorts.commands()).containsExactly(new RunCommand.SendLease(cohorts.lease()),
                new RunCommand.PublishRun(RunPhase.BASELINE));
    }

    @ParameterizedTest
    @MethodSource("partial")
    void where_a_lease_leaves_requests_out_a_pause_is_natural_when_all_requests_are(Redirect redirect) {
        RunScenario cohorts = RunScenario.redirecting(redirect);
        cohorts.ramping(400);
        cohorts.decide(new RunEvent.PauseRequested("a deployment"));
        cohorts.after(Duration.ofSeconds(5));
        cohorts.status(ReportedLeaseState.APPLIED);

        PauseStatus six = PauseStatus.of(cohorts.state(), cohorts.verdictOf(RunScenario.NATURAL, 60)).orElseThrow();
        assertThat(six.traffic()).isEqualTo(PauseStatus.Traffic.NOT_NATURAL);
        assertThat(six.detail()).contains("6% of all of the service's requests arrive at", "natural is 25%");
        assertThat(six.measured()).isEqualTo(new Share(60_000));

        PauseStatus natural = PauseStatus.of(cohorts.state(), cohorts.verdictOf(new Share(100_000), 250)).orElseThrow();
        assertThat(natural.traffic()).isEqualTo(PauseStatus.Traffic.NATURAL);
        assertThat(natural.detail()).contains("25% of all of the service's requests arrive at");
    }

    @Test
    void a_window_from_before_a_pause_says_nothing_of_the_requests_that_the_lease_left_out() {
        RunScenario cohorts = RunScenario.redirecting(partial().findFirst().orElseThrow());
        cohorts.baseline();
        cohorts.after(Duration.ofSeconds(20));
        cohorts.decide(new RunEvent.PauseRequested("a deployment"));

        assertThat(PauseStatus.of(cohorts.state(), cohorts.verdictOf(RunScenario.NATURAL, 250)).orElseThrow().traffic())
                .isEqualTo(PauseStatus.Traffic.GOING_BACK);
    }

    /** The search, or a step plan, is below the natural share. */
    private void belowNatural() {
        scenario.ramping(400);
        scenario.judged(Judgement.BREACHED, SearchAdvice.Action.SHED, 120);
        scenario.status(ReportedLeaseState.APPLIED);
        assertThat(scenario.share().ppm()).isEqualTo(120_000);
    }

    @Test
    void a_pause_from_below_the_natural_share_goes_up_to_it_at_once() {
        belowNatural();

        scenario.decide(new RunEvent.PauseRequested("a deployment"));

        assertThat(scenario.share()).as("250 000 is more than maxRaise x 120 000").isEqualTo(RunScenario.NATURAL);
        assertThat(scenario.commands()).containsExactly(new RunCommand.SendLease(scenario.lease()),
                new RunCommand.PublishRun(RunPhase.PAUSED));
    }

    @Test
    void a_pause_from_below_goes_up_although_the_last_share_is_not_in_force_and_no_window_says_anything() {
        scenario.ramping(400);
        scenario.judged(Judgement.BREACHED, SearchAdvice.Action.SHED, 1);
        scenario.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.NONE, 0);
        assertThat(scenario.share()).isEqualTo(new Share(1_000));

        scenario.decide(new RunEvent.PauseRequested("a deployment"));

        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void a_paused_run_that_an_earlier_version_left_below_natural_is_natural_after_its_next_window() {
        belowNatural();
        RunState.Searching searching = (RunState.Searching) scenario.state();
        scenario.resumeFrom(new RunState.Paused(searching.facts(), searching.course(), RunPhase.RAMPING));

        scenario.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 120);

        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void a_paused_run_outlasts_windows_that_say_nothing_and_goes_on_afterwards() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));

        pausedFor(Duration.ofMinutes(5), Judgement.INCONCLUSIVE);

        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);
        scenario.decide(new RunEvent.ResumeRequested("done"));
        scenario.after(Duration.ofSeconds(1));
        scenario.status(ReportedLeaseState.APPLIED);
        scenario.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        assertThat(scenario.phase()).as("one window without an answer since it goes on").isEqualTo(RunPhase.RAMPING);
        scenario.healthy(400);
        assertThat(scenario.share().ppm()).isEqualTo(400_000);
    }

    @Test
    void windows_without_an_answer_before_a_pause_do_not_count_after_it() {
        scenario.ramping(400);
        scenario.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        scenario.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        scenario.decide(new RunEvent.ResumeRequested("done"));

        scenario.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);

        assertThat(scenario.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void a_resumed_run_without_answers_ends_as_every_run_does() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        pausedFor(Duration.ofMinutes(1), Judgement.INCONCLUSIVE);
        scenario.decide(new RunEvent.ResumeRequested("done"));

        pausedFor(Duration.ofSeconds(3), Judgement.INCONCLUSIVE);

        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void a_paused_run_ends_by_its_longest_duration_and_says_that_nobody_resumed_it() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        Instant limit = scenario.state().facts().turnBack();
        pausedFor(Duration.between(scenario.now(), limit).minusSeconds(2), Judgement.INCONCLUSIVE);
        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);

        pausedFor(Duration.ofSeconds(3), Judgement.INCONCLUSIVE);

        assertThat(scenario.ending().outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.MAX_DURATION);
        assertThat(scenario.ending().reason().detail()).contains("paused", "nobody resumed it", "30m",
                limit.toString());
    }

    @Test
    void a_paused_run_ends_before_a_freeze_and_says_so() {
        Instant freeze = Instant.parse("2026-01-01T00:02:00Z");
        RunScenario frozen = new RunScenario(new StartConditions(freeze, null, null, null));
        frozen.ramping(400);
        frozen.decide(new RunEvent.PauseRequested("a deployment"));
        frozen.jumpTo(freeze.minusSeconds(5));
        frozen.decide(new RunEvent.Tick());

        assertThat(frozen.ending().reason().code()).isEqualTo(StopCode.FREEZE);
        assertThat(frozen.ending().reason().detail()).contains("paused", freeze.toString());
    }

    @Test
    void a_paused_run_without_any_verdict_ends_and_says_that_it_was_paused() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        scenario.silentFor(5);

        assertThat(scenario.ending().reason().detail()).startsWith("telemetry lost").contains("paused");
    }

    @Test
    void a_pause_is_on_its_way_back_until_a_window_has_measured_the_natural_share() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        assertThat(pause().traffic()).isEqualTo(PauseStatus.Traffic.GOING_BACK);
        assertThat(pause().detail()).contains("going back").doesNotContain("traffic is natural");

        WindowVerdict before = scenario.verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400);
        assertThat(pause(before).traffic()).as("it began before the pause").isEqualTo(PauseStatus.Traffic.GOING_BACK);
        scenario.after(Duration.ofSeconds(1));
        WindowVerdict since = scenario.verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400);
        assertThat(pause(since).traffic()).as("not every proxy acknowledged").isEqualTo(PauseStatus.Traffic.GOING_BACK);
        scenario.status(ReportedLeaseState.APPLIED);

        assertThat(pause(since).traffic()).isEqualTo(PauseStatus.Traffic.NATURAL);
        assertThat(pause(since).detail()).contains("traffic is natural", "25%", "10.0.0.1:80");
    }

    @Test
    void a_pause_whose_traffic_stays_where_it_was_says_so() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        scenario.after(Duration.ofSeconds(4));
        scenario.status(ReportedLeaseState.APPLIED);
        WindowVerdict elsewhere = scenario.verdictOf(new Share(400_000));

        assertThat(pause(elsewhere).traffic()).isEqualTo(PauseStatus.Traffic.NOT_NATURAL);
        assertThat(pause(elsewhere).detail()).contains("and yet 40%", "natural is 25%");
    }

    @Test
    void a_pause_in_the_baseline_is_natural_as_soon_as_that_is_measured() {
        scenario.baseline();
        scenario.after(Duration.ofSeconds(1));
        scenario.decide(new RunEvent.PauseRequested("wait"));

        assertThat(pause(scenario.verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 250)).traffic())
                .isEqualTo(PauseStatus.Traffic.NATURAL);
        assertThat(pause(scenario.verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 250)).detail())
                .contains("ends it at " + scenario.state().facts().turnBack());
    }

    @Test
    void a_run_that_is_not_paused_has_no_pause() {
        scenario.ramping(400);

        assertThat(PauseStatus.of(scenario.state(), null)).isEmpty();
    }

    private PauseStatus pause() {
        return PauseStatus.of(scenario.state(), null).orElseThrow();
    }

    private PauseStatus pause(WindowVerdict newest) {
        return Optional.of(newest).flatMap(verdict -> PauseStatus.of(scenario.state(), verdict)).orElseThrow();
    }

    private void pausedFor(Duration time, Judgement judgement) {
        for (long second = 0; second < time.toSeconds() && scenario.state() instanceof RunState.Searching; second++) {
            scenario.after(Duration.ofSeconds(1));
            scenario.status(ReportedLeaseState.APPLIED);
            scenario.decide(new RunEvent.Tick());
            if (scenario.state() instanceof RunState.Searching) {
                scenario.judged(judgement, SearchAdvice.Action.HOLD, 400);
            }
        }
    }
}

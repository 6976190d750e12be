// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunDeciderTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private Instant now = START;

    private long sequence;

    private RunState state = new RunState.Pending(facts(0.01));

    private List<RunCommand> commands = List.of();

    private static RunFacts facts(double harmBudget) {
        RunBounds bounds = new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), harmBudget, WINDOW);
        return new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000), bounds, RunTimeouts.DEFAULT, START);
    }

    private void decide(RunEvent event) {
        RunDecision decision = RunDecider.decide(state, event, now);
        state = decision.state();
        commands = decision.commands();
    }

    private void after(Duration duration) {
        now = now.plus(duration);
    }

    private void status(ReportedLeaseState leaseState) {
        decide(new RunEvent.LeaseStatusArrived(report(leaseState, lease().sequence(), 7)));
    }

    private static RedirectorReport report(ReportedLeaseState leaseState, long leaseSequence, long epoch) {
        return new RedirectorReport("r1", "run", epoch, leaseSequence, leaseState, "because",
                List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "2", "no such cluster")));
    }

    private WindowVerdict verdict(Judgement judgement, SearchAdvice.Action action, double target) {
        return new WindowVerdict("run", 7, ++sequence, now.minus(WINDOW), WINDOW, judgement, List.of(), List.of(),
                new SearchAdvice(action, target, SearchAdvice.Phase.RAMPING, "advice", (int) sequence),
                new TrafficSample(1000 * share().ratio(), Math.round(1000 * share().ratio()), 0, 1, 0.01, 0.1, share()),
                new TrafficSample(750, 1000 - Math.round(1000 * share().ratio()), 0, 1, 0.01, 0.1, new Share(750_000)),
                1000, 0,
                new CapacityEstimate(400, 390, 410, "latency", 0.3, 0.2, 380.0, 420.0));
    }

    private static WindowVerdict with(WindowVerdict verdict, List<RuleResult> guards, double harm) {
        return new WindowVerdict(verdict.runId(), verdict.epoch(), verdict.sequence(), verdict.windowStart(),
                verdict.windowLength(), verdict.judgement(), verdict.sla(), guards, verdict.advice(), verdict.sut(),
                verdict.peers(), verdict.serviceRequestsPerSecond(), harm, verdict.estimate());
    }

    private void judged(Judgement judgement, SearchAdvice.Action action, double target) {
        decide(new RunEvent.VerdictArrived(verdict(judgement, action, target)));
    }

    /** A second later, with everything in order. */
    private void healthy(double target) {
        after(WINDOW);
        status(ReportedLeaseState.APPLIED);
        judged(Judgement.HOLDS, SearchAdvice.Action.GO, target);
    }

    private Lease lease() {
        return ((RunState.Leased) state).course().lease().newest();
    }

    private Share share() {
        return lease().share();
    }

    private RunEnd ending() {
        return ((RunState.Restoring) state).ending();
    }

    private void ramping() {
        decide(new RunEvent.Submitted(List.of("r1")));
        status(ReportedLeaseState.APPLIED);
        judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 250);
        assertThat(state).isInstanceOf(RunState.Baseline.class);
        healthy(400);
        assertThat(state).isInstanceOf(RunState.Ramping.class);
    }

    @Test
    void prepares_with_a_lease_at_the_natural_share() {
        decide(new RunEvent.Submitted(List.of("r1")));

        assertThat(share()).isEqualTo(new Share(250_000));
        assertThat(commands).containsExactly(new RunCommand.PublishRun(RunPhase.PREPARING),
                new RunCommand.SendLease(lease()));
        assertThat(lease().expiresAt()).isEqualTo(START.plusSeconds(5));
    }

    @Test
    void says_what_was_missing_when_preparing_takes_too_long() {
        decide(new RunEvent.Submitted(List.of("r1")));
        for (int second = 0; second < 20; second++) {
            after(Duration.ofSeconds(1));
            status(ReportedLeaseState.PENDING);
            decide(new RunEvent.Tick());
        }

        assertThat(ending().outcome()).isEqualTo(RunOutcome.FAILED);
        assertThat(ending().reason().detail()).contains("node-1", "no such cluster", "no fresh verdict");
    }

    @Test
    void turns_the_target_load_into_a_share() {
        ramping();

        assertThat(share()).isEqualTo(new Share(400_000));
        assertThat(commands).contains(new RunCommand.SendLease(lease()), new RunCommand.PublishRun(RunPhase.RAMPING));
    }

    @Test
    void clips_a_raise_to_the_factor_and_to_the_cap() {
        ramping();
        judged(Judgement.BREACHED, SearchAdvice.Action.SHED, 100);
        assertThat(share()).isEqualTo(new Share(100_000));

        healthy(900);
        assertThat(share()).isEqualTo(new Share(200_000));
        healthy(900);
        healthy(900);

        assertThat(share()).isEqualTo(new Share(600_000));
    }

    @Test
    void sheds_at_once_even_on_an_unclear_window() {
        ramping();

        judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.SHED, 200);

        assertThat(share()).isEqualTo(new Share(200_000));
        assertThat(commands).first().isInstanceOf(RunCommand.SendLease.class);
    }

    @Test
    void never_raises_on_a_breached_or_unclear_or_late_or_foreign_or_repeated_window() {
        ramping();
        after(WINDOW);
        status(ReportedLeaseState.APPLIED);
        Share before = share();

        judged(Judgement.BREACHED, SearchAdvice.Action.GO, 500);
        assertThat(share()).isEqualTo(before);
        WindowVerdict good = verdict(Judgement.HOLDS, SearchAdvice.Action.GO, 500);
        decide(new RunEvent.VerdictArrived(new WindowVerdict("run", 6, 99, good.windowStart(), WINDOW, good.judgement(),
                good.sla(), good.guards(), good.advice(), good.sut(), good.peers(), 1000, 0, null)));
        decide(new RunEvent.VerdictArrived(new WindowVerdict("run", 7, 1, good.windowStart(), WINDOW, good.judgement(),
                good.sla(), good.guards(), good.advice(), good.sut(), good.peers(), 1000, 0, null)));
        decide(new RunEvent.VerdictArrived(new WindowVerdict("run", 7, good.sequence(), now.minusSeconds(7), WINDOW,
                good.judgement(), good.sla(), good.guards(), good.advice(), good.sut(), good.peers(), 1000, 0, null)));

        assertThat(share()).isEqualTo(before);
    }

    @Test
    void does_not_raise_over_a_gap_or_before_the_last_raise_is_in_force() {
        ramping();
        after(WINDOW);
        judged(Judgement.HOLDS, SearchAdvice.Action.GO, 500);
        assertThat(share()).as("not acknowledged yet").isEqualTo(new Share(400_000));

        status(ReportedLeaseState.APPLIED);
        sequence++;
        judged(Judgement.HOLDS, SearchAdvice.Action.GO, 500);
        assertThat(share()).as("a verdict is missing").isEqualTo(new Share(400_000));
        judged(Judgement.HOLDS, SearchAdvice.Action.GO, 500);
        assertThat(share()).isEqualTo(new Share(500_000));
    }

    @Test
    void two_unclear_windows_bring_the_share_to_natural_and_three_end_the_run() {
        ramping();

        judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        assertThat(share()).isEqualTo(new Share(400_000));
        judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        assertThat(share()).isEqualTo(new Share(250_000));
        judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);

        assertThat(ending().outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void the_watchdog_lowers_then_ends() {
        ramping();
        for (int quarter = 0; quarter < 14; quarter++) {
            after(Duration.ofMillis(250));
            status(ReportedLeaseState.APPLIED);
            decide(new RunEvent.Tick());
        }
        assertThat(share()).isEqualTo(new Share(400_000));

        after(Duration.ofMillis(250));
        decide(new RunEvent.Tick());
        assertThat(share()).isEqualTo(new Share(250_000));
        after(Duration.ofSeconds(1));
        decide(new RunEvent.Tick());

        assertThat(ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void a_broken_guard_ends_at_once_with_value_and_threshold() {
        ramping();
        RuleResult guard = new RuleResult("fleet", "service.error_rate <= 0.01", Judgement.BREACHED, 0.05, 0.01, 5.0,
                "ratio", false, "");

        decide(new RunEvent.VerdictArrived(
                with(verdict(Judgement.HOLDS, SearchAdvice.Action.GO, 500), List.of(guard), 0)));

        assertThat(ending().outcome()).isEqualTo(RunOutcome.ABORTED);
        assertThat(ending().reason().detail()).contains("fleet", "5 % against 1 %");
        assertThat(lease().released()).isTrue();
    }

    @Test
    void an_informational_guard_is_not_acted_on() {
        ramping();
        RuleResult guard = new RuleResult("fleet", "x", Judgement.BREACHED, 0.05, 0.01, 5.0, "ratio", true, "");

        decide(new RunEvent.VerdictArrived(
                with(verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400), List.of(guard), 0)));

        assertThat(state).isInstanceOf(RunState.Ramping.class);
    }

    @Test
    void stops_before_the_windows_under_way_can_exceed_the_harm_budget() {
        state = new RunState.Pending(facts(0.001));
        ramping();

        // Allowed are 0.001 x 1000/s x 1800 s = 1800 requests; until the next window is judged and acted on
        // 1 s + 0.2 s pass, which is two windows at 400/s: 800.
        decide(new RunEvent.VerdictArrived(
                with(verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400), List.of(), 990)));
        assertThat(state).isInstanceOf(RunState.Ramping.class);
        decide(new RunEvent.VerdictArrived(
                with(verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400), List.of(), 20)));

        assertThat(ending().reason().code()).isEqualTo(StopCode.HARM_BUDGET);
        assertThat(ending().reason().detail()).contains("1010", "800", "1800");
    }

    @Test
    void a_share_that_does_not_arrive_for_five_windows_ends_the_run() {
        ramping();
        for (int window = 0; window < 9 && state instanceof RunState.Searching; window++) {
            after(WINDOW);
            status(ReportedLeaseState.APPLIED);
            WindowVerdict asked = verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400);
            decide(new RunEvent.VerdictArrived(
                    new WindowVerdict("run", 7, asked.sequence(), asked.windowStart(), WINDOW,
                            asked.judgement(), asked.sla(), asked.guards(), asked.advice(),
                            new TrafficSample(250, 250, 0, 1, 0.01, 0.1, new Share(250_000)),
                            new TrafficSample(750, 750, 0, 1, 0.01, 0.1, new Share(750_000)), 1000, 0, null)));
        }

        assertThat(ending().reason().code()).isEqualTo(StopCode.SHARE_NOT_FOLLOWED);
        assertThat(ending().reason().detail()).contains("25%", "40%");
    }

    @Test
    void a_refused_lease_and_a_silent_redirector_end_the_run_by_name() {
        ramping();
        RunState before = state;
        status(ReportedLeaseState.FAILED);
        assertThat(ending().reason().detail()).contains("r1", "FAILED", "node-1", "no such cluster");

        state = before;
        Instant lastReport = now;
        while (state instanceof RunState.Searching) {
            after(WINDOW);
            judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 250);
            decide(new RunEvent.Tick());
        }
        assertThat(ending().reason().code()).isEqualTo(StopCode.REDIRECTOR_SILENT);
        assertThat(now).as("its proxies follow their last lease for 5 s").isEqualTo(lastReport.plusSeconds(6));
    }

    @Test
    void a_redirector_that_follows_a_higher_epoch_fences_the_run() {
        ramping();

        decide(new RunEvent.LeaseStatusArrived(report(ReportedLeaseState.APPLIED, 1, 8)));

        assertThat(ending().reason().code()).isEqualTo(StopCode.FENCED);
    }

    @Test
    void finishes_when_the_release_is_proven_and_records_the_capacity_once() {
        ramping();
        judged(Judgement.HOLDS, SearchAdvice.Action.DONE, 0);
        long released = lease().sequence();

        decide(new RunEvent.LeaseStatusArrived(report(ReportedLeaseState.NATURAL, released - 1, 7)));
        assertThat(state).as("an old status proves nothing").isInstanceOf(RunState.Restoring.class);
        after(Duration.ofMillis(300));
        status(ReportedLeaseState.NATURAL);
        after(Duration.ofMillis(3500));
        decide(new RunEvent.Tick());

        RunState.Finished finished = (RunState.Finished) state;
        assertThat(finished.ending().outcome()).isEqualTo(RunOutcome.CAPACITY_FOUND);
        assertThat(finished.restored().took()).isEqualTo(Duration.ofMillis(300));
        assertThat(commands).hasSize(2).anyMatch(RunCommand.RecordCapacity.class::isInstance);
        assertThatThrownBy(() -> decide(new RunEvent.Tick())).isInstanceOf(IllegalTransitionException.class);
    }

    @Test
    void does_not_claim_restored_traffic_without_proof() {
        ramping();
        decide(new RunEvent.AbortRequested("stop"));
        for (int second = 0; second < 7; second++) {
            after(Duration.ofSeconds(1));
            decide(new RunEvent.Tick());
        }

        assertThat(((RunState.Finished) state).restored().proof()).isEqualTo(RestoreProof.Proof.BY_EXPIRY);
    }

    @Test
    void turns_back_early_enough_for_the_longest_duration_to_hold_even_by_expiry() {
        ramping();
        now = START.plus(Duration.ofMinutes(30)).minusSeconds(5);

        decide(new RunEvent.Tick());

        assertThat(ending().reason().code()).isEqualTo(StopCode.MAX_DURATION);
    }

    @Test
    void lost_telemetry_counts_as_harm_for_as_long_as_it_was_silent() {
        ramping();
        for (int quarter = 0; quarter < 19; quarter++) {
            after(Duration.ofMillis(250));
            status(ReportedLeaseState.APPLIED);
            decide(new RunEvent.Tick());
        }

        // 40% of 1000/s, and 4.75 s without a verdict.
        assertThat(ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
        assertThat(((RunState.Restoring) state).course().harm().requests()).isCloseTo(1900, within(1e-6));
    }

    @Test
    void a_run_that_is_never_begun_gives_its_service_back() {
        after(Duration.ofMillis(19_999));
        decide(new RunEvent.Tick());
        assertThat(state).isInstanceOf(RunState.Pending.class);

        after(Duration.ofMillis(1));
        decide(new RunEvent.Tick());

        RunState.Finished finished = (RunState.Finished) state;
        assertThat(finished.ending().outcome()).isEqualTo(RunOutcome.FAILED);
        assertThat(finished.ending().reason().code()).isEqualTo(StopCode.PREPARATION_TIMEOUT);
        assertThat(finished.restored().proof()).isEqualTo(RestoreProof.Proof.NOT_NEEDED);
    }

    @Test
    void a_silent_redirector_may_hold_its_lease_until_that_runs_out() {
        decide(new RunEvent.Submitted(List.of("r1", "r2")));
        decide(new RunEvent.AbortRequested("stop"));
        status(ReportedLeaseState.NATURAL);

        after(Duration.ofSeconds(5));
        decide(new RunEvent.Tick());
        assertThat(state).as("r2 may follow its lease for 5 s").isInstanceOf(RunState.Restoring.class);
        after(Duration.ofMillis(1));
        decide(new RunEvent.Tick());
        assertThat(((RunState.Restoring) state).readBack().acknowledgedAt()).isEqualTo(now);
        after(Duration.ofSeconds(2));
        decide(new RunEvent.Tick());

        assertThat(((RunState.Finished) state).restored().proof()).isEqualTo(RestoreProof.Proof.ACKNOWLEDGED);
    }
}

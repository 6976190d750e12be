// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several redirectors of one service: the proxies are connected to one or another of them. */
class SideBySideTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private static final Share NATURAL = new Share(250_000);

    private Instant now = START;

    private long sequence;

    private RunState state = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", 7, NATURAL,
            new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, WINDOW), RunTimeouts.DEFAULT, START));

    private void decide(RunEvent event) {
        state = RunDecider.decide(state, event, now).state();
    }

    private RedirectorReport report(String redirector, ReportedLeaseState leaseState, boolean connected) {
        return new RedirectorReport(redirector, "run", 7, lease().sequence(), leaseState, "",
                List.of(new RedirectorReport.ProxyReport("node-of-" + redirector, connected, "1", "1", "")));
    }

    private void says(String redirector, ReportedLeaseState leaseState, boolean connected) {
        decide(new RunEvent.LeaseStatusArrived(report(redirector, leaseState, connected)));
    }

    private void applied(String redirector) {
        says(redirector, ReportedLeaseState.APPLIED, true);
    }

    private void idle(String redirector) {
        says(redirector, ReportedLeaseState.PENDING, false);
    }

    private void judged(double target) {
        TrafficSample sut = new TrafficSample(250, Math.round(1000 * lease().share().ratio()), 0, 1, 0.01, 0.1,
                lease().share());
        decide(new RunEvent.VerdictArrived(new WindowVerdict("run", 7, ++sequence, now.minus(WINDOW), WINDOW,
                Judgement.HOLDS, List.of(), List.of(),
                new SearchAdvice(SearchAdvice.Action.GO, target, SearchAdvice.Phase.RAMPING, "go", (int) sequence), sut,
                new TrafficSample(750, 1000 - sut.completed(), 0, 1, 0.01, 0.1, new Share(750_000)), 1000, 0, null)));
    }

    private Lease lease() {
        return ((RunState.Leased) state).course().lease().newest();
    }

    private StopReason reason() {
        return ((RunState.Restoring) state).ending().reason();
    }

    /** Seconds in quarters, as ticks come; each second a window is judged, and these say that they have the lease. */
    private void seconds(double seconds, String... applying) {
        for (int quarter = 1; quarter <= Math.round(4 * seconds) && state instanceof RunState.Leased; quarter++) {
            now = now.plusMillis(250);
            for (String redirector : applying) {
                applied(redirector);
            }
            if (quarter % 4 == 0 && state instanceof RunState.Searching) {
                judged(1000 * lease().share().ratio());
            }
            if (state instanceof RunState.Leased) {
                decide(new RunEvent.Tick());
            }
        }
    }

    private void begun() {
        decide(new RunEvent.Submitted(List.of("r1", "r2")));
    }

    /** r1 has the proxies. */
    private void ramping() {
        begun();
        idle("r2");
        applied("r1");
        judged(250);
        now = now.plus(WINDOW);
        applied("r1");
        judged(400);
    }

    @Test
    void one_without_a_proxy_neither_counts_nor_holds_up() {
        ramping();
        assertThat(state).isInstanceOf(RunState.Ramping.class);

        now = now.plus(WINDOW);
        applied("r1");
        judged(500);

        assertThat(lease().share()).as("what r1 has in force is in force everywhere").isEqualTo(new Share(500_000));
        seconds(10, "r1");
        assertThat(state).as("r2 has fallen silent, and nobody misses it").isInstanceOf(RunState.Ramping.class);
    }

    @Test
    void one_that_has_not_said_whether_it_has_proxies_is_waited_for_until_it_is_dead() {
        begun();
        applied("r1");
        judged(250);
        assertThat(state).isInstanceOf(RunState.Preparing.class);

        now = now.plusMillis(5001);
        judged(250);
        applied("r1");

        assertThat(state).isInstanceOf(RunState.Baseline.class);
    }

    @Test
    void what_is_applied_without_a_proxy_is_not_applied() {
        begun();
        for (int second = 0; second < 20; second++) {
            now = now.plusSeconds(1);
            says("r1", ReportedLeaseState.APPLIED, false);
            idle("r2");
            decide(new RunEvent.Tick());
        }

        assertThat(reason().code()).isEqualTo(StopCode.PREPARATION_TIMEOUT);
        assertThat(reason().detail()).contains("redirector r1", "redirector r2", "is not connected");
    }

    @Test
    void proxies_may_move_to_another_in_mid_run() {
        ramping();

        says("r1", ReportedLeaseState.FAILED, false);
        idle("r2");
        seconds(2);
        applied("r2");
        says("r1", ReportedLeaseState.EXPIRED, false);
        seconds(10, "r2");

        assertThat(state).isInstanceOf(RunState.Ramping.class);
        now = now.plus(WINDOW);
        applied("r2");
        judged(500);
        assertThat(lease().share()).isEqualTo(new Share(500_000));
    }

    @Test
    void nothing_is_raised_while_proxies_are_on_their_way_or_at_one_that_is_behind() {
        ramping();
        now = now.plus(WINDOW);
        applied("r1");
        applied("r2");
        idle("r1");
        judged(500);
        applied("r2");
        Share before = lease().share();

        idle("r2");
        judged(550);
        assertThat(lease().share()).as("nobody has a proxy").isEqualTo(before);
        says("r1", ReportedLeaseState.PENDING, true);
        judged(550);
        assertThat(lease().share()).as("r1 has not followed").isEqualTo(before);
        applied("r1");
        judged(550);

        assertThat(lease().share()).isEqualTo(new Share(550_000));
    }

    @Test
    void proxies_that_arrive_nowhere_end_the_run() {
        ramping();

        idle("r1");
        Instant left = now;
        for (int second = 0; second < 6 && state instanceof RunState.Searching; second++) {
            seconds(1);
            idle("r1");
            idle("r2");
        }

        assertThat(reason().code()).isEqualTo(StopCode.LEASE_LOST);
        assertThat(reason().detail()).contains("more than 5s", "redirector r1", "redirector r2");
        assertThat(Duration.between(left, ((RunState.Restoring) state).decidedAt()))
                .isBetween(Duration.ofSeconds(5), Duration.ofMillis(5500));
    }

    @Test
    void a_lease_that_failed_with_a_proxy_or_was_rejected_ends_the_run_whatever_others_say() {
        ramping();
        applied("r2");
        RunState before = state;

        says("r1", ReportedLeaseState.FAILED, true);
        assertThat(reason().code()).isEqualTo(StopCode.LEASE_LOST);
        state = before;
        says("r1", ReportedLeaseState.REJECTED, false);

        assertThat(reason().code()).isEqualTo(StopCode.LEASE_LOST);
    }

    @Test
    void a_lease_that_failed_without_a_proxy_ends_the_run_when_there_is_nobody_else() {
        ramping();
        seconds(6, "r1");

        says("r1", ReportedLeaseState.FAILED, false);

        assertThat(reason().code()).as("r2 is dead").isEqualTo(StopCode.LEASE_LOST);
    }

    @Test
    void one_that_dies_ends_the_run_only_when_no_other_has_the_lease_in_force() {
        ramping();
        applied("r2");

        seconds(10, "r2");
        assertThat(state).isInstanceOf(RunState.Ramping.class);
        seconds(6);

        assertThat(reason().code()).isEqualTo(StopCode.REDIRECTOR_SILENT);
    }

    @Test
    void one_that_dies_beside_one_without_proxies_ends_the_run() {
        ramping();

        for (int second = 0; second < 6 && state instanceof RunState.Searching; second++) {
            seconds(1);
            idle("r2");
        }

        assertThat(reason().code()).isEqualTo(StopCode.REDIRECTOR_SILENT);
        assertThat(reason().detail()).contains("redirector r1");
    }

    @Test
    void one_with_proxies_that_does_not_follow_ends_the_run_although_another_does() {
        ramping();
        for (int second = 0; second < 5 && state instanceof RunState.Searching; second++) {
            says("r2", ReportedLeaseState.PENDING, true);
            seconds(1, "r1");
        }

        assertThat(reason().code()).isEqualTo(StopCode.LEASE_NOT_ACKNOWLEDGED);
        assertThat(reason().detail()).contains("redirector r2").doesNotContain("redirector r1");
    }

    @Test
    void one_that_dies_after_a_sign_of_life_but_before_it_followed_does_not_end_the_run_when_another_follows() {
        ramping();
        RedirectorReport signOfLife = report("r1", ReportedLeaseState.APPLIED, true);
        now = now.plus(WINDOW);
        judged(500);
        now = now.plusMillis(1400);
        decide(new RunEvent.LeaseStatusArrived(signOfLife));
        seconds(10, "r2");

        assertThat(state).isInstanceOf(RunState.Ramping.class);
    }

    @Test
    void one_that_never_had_a_proxy_is_not_waited_for_when_traffic_goes_back() {
        ramping();
        decide(new RunEvent.AbortRequested("stop"));
        idle("r2");

        says("r1", ReportedLeaseState.NATURAL, true);
        seconds(3.5, "r1");

        assertThat(((RunState.Finished) state).restored().proof()).isEqualTo(RestoreProof.Proof.ACKNOWLEDGED);
    }

    @Test
    void proxies_that_left_may_follow_their_last_lease_until_it_runs_out() {
        ramping();
        applied("r2");
        idle("r1");
        decide(new RunEvent.AbortRequested("stop"));

        seconds(4.75);
        says("r2", ReportedLeaseState.NATURAL, true);
        assertThat(state).as("r1's may be on their way").isInstanceOf(RunState.Restoring.class);
        seconds(0.5);
        assertThat(((RunState.Restoring) state).readBack().acknowledgedAt()).isNotNull();
        seconds(2);

        assertThat(((RunState.Finished) state).restored().proof()).isEqualTo(RestoreProof.Proof.ACKNOWLEDGED);
    }

    @Test
    void without_any_proxy_nothing_is_proven() {
        ramping();
        decide(new RunEvent.AbortRequested("stop"));
        for (int second = 0; second < 8 && state instanceof RunState.Restoring; second++) {
            says("r1", ReportedLeaseState.NATURAL, false);
            says("r2", ReportedLeaseState.NATURAL, false);
            seconds(1);
        }

        assertThat(((RunState.Finished) state).restored().proof()).isEqualTo(RestoreProof.Proof.BY_EXPIRY);
    }
}

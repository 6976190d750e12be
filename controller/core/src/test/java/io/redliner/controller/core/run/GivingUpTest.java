// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ends without an answer: before any traffic was moved, or when the harm that may be done for it is used up. */
class GivingUpTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private static final Share NATURAL = new Share(250_000);

    private final List<RunCommand> commands = new ArrayList<>();

    private RunState state = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", 7, NATURAL,
            new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, WINDOW), RunTimeouts.DEFAULT, START));

    private Instant now = START;

    private long sequence;

    @Test
    void while_preparing_it_ends_inconclusive_and_nothing_was_ever_raised() {
        decide(new RunEvent.Submitted(List.of("r1")));

        judged(SearchAdvice.Action.GIVE_UP);

        assertInconclusiveWithoutRaise();
    }

    @Test
    void at_the_baseline_it_ends_inconclusive_and_nothing_was_ever_raised() {
        decide(new RunEvent.Submitted(List.of("r1")));
        applied();
        judged(SearchAdvice.Action.HOLD);
        assertThat(state).isInstanceOf(RunState.Baseline.class);
        now = now.plus(WINDOW);
        applied();

        judged(SearchAdvice.Action.GIVE_UP);

        assertInconclusiveWithoutRaise();
    }

    @Test
    void a_harm_budget_that_is_used_up_leaves_the_bound_that_was_learnt_for_it() {
        decide(new RunEvent.Submitted(List.of("r1")));
        applied();
        judged(SearchAdvice.Action.HOLD);
        applied();
        var bound = new CapacityEstimate(400, 380, 0, "", null, null, 380.0, null);

        judged(SearchAdvice.Action.GO, 400, 18_001, bound);
        assertThat(state).as("nothing was moved before").isInstanceOf(RunState.Baseline.class);
        now = now.plus(WINDOW);

        // Allowed are 0.01 x 1000/s x 1800 s.
        judged(SearchAdvice.Action.GO, 400, 18_001, bound);

        assertThat(state).isInstanceOf(RunState.Restoring.class);
        var ending = ((RunState.Restoring) state).ending();
        assertThat(ending.outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(ending.reason().code()).isEqualTo(StopCode.HARM_BUDGET);
        assertThat(ending.estimate()).isEqualTo(bound);
        now = now.plus(WINDOW);
        long released = ((RunState.Leased) state).course().lease().newest().sequence();
        decide(new RunEvent.LeaseStatusArrived(
                new RedirectorReport("r1", "run", 7, released, ReportedLeaseState.NATURAL, "",
                        List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "1", "")))));
        now = now.plusMillis(3500);
        decide(new RunEvent.Tick());
        assertThat(state).isInstanceOf(RunState.Finished.class);
        assertThat(commands).as("a bound is no capacity").noneMatch(RunCommand.RecordCapacity.class::isInstance);
    }

    private void assertInconclusiveWithoutRaise() {
        assertThat(state).isInstanceOf(RunState.Restoring.class);
        var ending = ((RunState.Restoring) state).ending();
        assertThat(ending.outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(ending.reason()).isEqualTo(new StopReason(StopCode.SEARCH_GAVE_UP, "too few requests"));
        assertThat(commands).filteredOn(RunCommand.SendLease.class::isInstance).isNotEmpty()
                .allSatisfy(command -> assertThat(((RunCommand.SendLease) command).lease().share()).isEqualTo(NATURAL));
    }

    private void applied() {
        long leaseSequence = ((RunState.Leased) state).course().lease().newest().sequence();
        decide(new RunEvent.LeaseStatusArrived(
                new RedirectorReport("r1", "run", 7, leaseSequence, ReportedLeaseState.APPLIED,
                        "", List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "1", "")))));
    }

    private void judged(SearchAdvice.Action action) {
        judged(action, 0, 0, null);
    }

    private void judged(SearchAdvice.Action action, double target, double harm, @Nullable CapacityEstimate estimate) {
        var seen = new TrafficSample(250, 250, 0, 1, 0.01, 0.1, NATURAL);
        decide(new RunEvent.VerdictArrived(new WindowVerdict("run", 7, ++sequence, now.minus(WINDOW), WINDOW,
                Judgement.HOLDS, List.of(), List.of(),
                new SearchAdvice(action, target, SearchAdvice.Phase.BASELINE, "too few requests", 0), seen, seen, 1000,
                harm,
                estimate)));
    }

    private void decide(RunEvent event) {
        var decision = RunDecider.decide(state, event, now);
        state = decision.state();
        commands.addAll(decision.commands());
    }
}

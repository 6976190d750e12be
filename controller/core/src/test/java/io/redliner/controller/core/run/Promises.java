// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What holds after every event, whatever breaks. */
final class Promises {

    private static final Map<RunPhase, Set<RunPhase>> NEXT = Map.of(RunPhase.PENDING,
            Set.of(RunPhase.PREPARING, RunPhase.FINISHED),
            RunPhase.PREPARING, Set.of(RunPhase.BASELINE, RunPhase.RESTORING), RunPhase.BASELINE,
            Set.of(RunPhase.RAMPING, RunPhase.CONFIRMING, RunPhase.PAUSED, RunPhase.RESTORING), RunPhase.RAMPING,
            Set.of(RunPhase.CONFIRMING, RunPhase.PAUSED, RunPhase.RESTORING), RunPhase.CONFIRMING,
            Set.of(RunPhase.RAMPING, RunPhase.PAUSED, RunPhase.RESTORING), RunPhase.PAUSED,
            Set.of(RunPhase.BASELINE, RunPhase.RAMPING, RunPhase.CONFIRMING, RunPhase.RESTORING), RunPhase.RESTORING,
            Set.of(RunPhase.FINISHED), RunPhase.FINISHED, Set.of());

    private final RunFacts facts;

    private final Map<Long, Long> newestVerdict = new HashMap<>();

    private long leaseSequence;

    private int finalRecords;

    Promises(RunFacts facts) {
        this.facts = facts;
    }

    void decided(RunState before, RunEvent event, RunDecision decision, Instant now) {
        RunState after = decision.state();
        if (before.phase() != after.phase()) {
            assertThat(NEXT.get(before.phase())).contains(after.phase());
        }
        if (after instanceof RunState.Leased leased) {
            share(before, event, leased, now);
        }
        if (after instanceof RunState.Searching searching) {
            searching(before, searching, event, now);
        }
        if (before instanceof RunState.Searching && after instanceof RunState.Restoring restoring
                && restoring.ending().reason().code() == StopCode.HARM_BUDGET) {
            assertThat(restoring.ending().outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
            assertThat(restoring.ending().estimate()).as("what is known, for what it cost")
                    .isEqualTo(((RunEvent.VerdictArrived) event).verdict().estimate());
        }
        for (RunCommand command : decision.commands()) {
            command(after, command, now);
        }
        if (event instanceof RunEvent.VerdictArrived arrived && arrived.verdict().concerns(before.facts())) {
            newestVerdict.merge(arrived.verdict().epoch(), arrived.verdict().sequence(), Math::max);
        }
    }

    private void share(RunState before, RunEvent event, RunState.Leased after, Instant now) {
        Share share = after.course().share();
        assertThat(share.above(facts.bounds().maxShare())).as("share %s", share).isFalse();
        if (before instanceof RunState.Leased earlier && !(after instanceof RunState.Restoring)
                && !(after instanceof RunState.Paused) && share.above(earlier.course().share())) {
            Share current = earlier.course().share();
            double highest = current.ppm() == 0
                    ? facts.naturalShare().ppm()
                    : current.ppm() * facts.bounds().maxRaise();
            assertThat((double) share.ppm()).as("raise").isLessThanOrEqualTo(highest);
            assertThat(event).isInstanceOf(RunEvent.VerdictArrived.class);
            WindowVerdict verdict = ((RunEvent.VerdictArrived) event).verdict();
            assertThat(verdict.judgement()).isIn(Judgement.HOLDS,
                    facts.profile() != null && facts.profile().overloads() ? Judgement.BREACHED : Judgement.HOLDS);
            assertThat(verdict.concerns(before.facts())).isTrue();
            assertThat(verdict.sequence()).isGreaterThan(newestVerdict.getOrDefault(verdict.epoch(), 0L));
            assertThat(Duration.between(verdict.windowEnd(), now))
                    .isLessThanOrEqualTo(verdict.windowLength().multipliedBy(3).plusSeconds(2))
                    .isLessThanOrEqualTo(verdict.windowLength().plusSeconds(3));
        }
    }

    private void searching(RunState before, RunState.Searching state, RunEvent event, Instant now) {
        RunProgress course = state.course();
        if (event instanceof RunEvent.Tick) {
            Duration silence = Duration.between(course.telemetry().lastVerdictAt(), now);
            Duration limit = facts.bounds().window().multipliedBy(2).plusMillis(1500);
            assertThat(silence).isLessThanOrEqualTo(limit.plusSeconds(1));
            Instant answered = course.telemetry().answeredAt();
            if (answered == null || Duration.between(answered, now).compareTo(limit) > 0) {
                assertThat(course.share().above(facts.naturalShare())).isFalse();
            }
            assertThat(now).isBefore(facts.submittedAt().plus(facts.bounds().maxDuration()));
        }
        if (course.telemetry().consecutiveInconclusive() >= 2) {
            assertThat(course.share().above(facts.naturalShare())).isFalse();
        }
        boolean counting = before instanceof RunState.Searching from
                && from.course().telemetry().consecutiveInconclusive() < 3;
        if (counting) {
            assertThat(course.telemetry().consecutiveInconclusive()).isLessThan(3);
        }
        if (state instanceof RunState.Paused) {
            assertThat(course.share()).as("a pause is natural").isEqualTo(facts.naturalShare());
        }
        if (course.share().above(facts.naturalShare())) {
            assertThat(course.harm().requests()).isLessThanOrEqualTo(course.harm().allowed(facts.bounds()));
        }
    }

    private void command(RunState after, RunCommand command, Instant now) {
        switch (command) {
            case RunCommand.SendLease send -> {
                Lease lease = send.lease();
                assertThat(lease.sequence()).isGreaterThan(leaseSequence);
                leaseSequence = lease.sequence();
                assertThat(lease.epoch()).isEqualTo(after.facts().epoch());
                assertThat(lease.released()).isEqualTo(after instanceof RunState.Restoring);
                assertThat(Duration.between(now, lease.expiresAt())).isLessThanOrEqualTo(facts.times().leaseTtl());
                if (lease.share().above(facts.naturalShare())) {
                    assertThat(lease.expiresAt()).isBeforeOrEqualTo(lastJustified(after));
                }
            }
            case RunCommand.PublishRun publish -> {
                assertThat(publish.phase()).isEqualTo(after.phase());
                finalRecords += publish.phase() == RunPhase.FINISHED ? 1 : 0;
            }
            case RunCommand.RecordCapacity found -> {
                RunOutcome outcome = ((RunState.Finished) after).ending().outcome();
                assertThat(facts.profile()).isNull();
                assertThat(outcome)
                        .isEqualTo(found.lowerBound() ? RunOutcome.TRAFFIC_EXHAUSTED : RunOutcome.CAPACITY_FOUND);
            }
            case RunCommand.RecordStep step -> assertThat(step.step().endedAt()).isEqualTo(now);
        }
    }

    private Instant lastJustified(RunState after) {
        Duration watchdogEnd = facts.bounds().window().multipliedBy(2).plusMillis(2500);
        Duration ttl = facts.times().leaseTtl();
        return Objects.requireNonNull(((RunState.Leased) after).course().telemetry().answeredAt(), "no answer yet")
                .plus(ttl.compareTo(watchdogEnd) < 0 ? watchdogEnd : ttl);
    }

    /** What the proxies do, whether the controller lives or not. */
    void trafficAt(Instant now, Share share, RunState state) {
        boolean tested = share.above(facts.naturalShare());
        if (tested) {
            assertThat(share.above(facts.bounds().maxShare())).isFalse();
            assertThat(now).isBefore(facts.submittedAt().plus(facts.bounds().maxDuration()));
            assertThat(state).isInstanceOf(RunState.Leased.class);
        }
    }

    /** The dead-man's switch. */
    void crashedSince(Instant crash, Instant now, Share share) {
        if (now.isAfter(crash.plus(facts.times().leaseTtl()))) {
            assertThat(share).isEqualTo(facts.naturalShare());
        }
    }

    void isOver(RunState finished, RunEvent event, Instant now) {
        assertThatThrownBy(() -> RunDecider.decide(finished, event, now))
                .isInstanceOf(IllegalTransitionException.class);
    }

    void ended(RunState.Finished finished, Share share, Instant now, boolean crashed) {
        assertThat(finalRecords).isEqualTo(1);
        if (finished.restored().acknowledged()) {
            assertThat(share).isEqualTo(facts.naturalShare());
        }
        assertThat(share.above(facts.naturalShare())).isFalse();
        assertThat(crashed || !now.isAfter(facts.submittedAt().plus(facts.bounds().maxDuration()).plusSeconds(3)))
                .isTrue();
        assertThat(finished.ending().reason().detail()).isNotBlank();
    }
}

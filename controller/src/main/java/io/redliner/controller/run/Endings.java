// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import io.redliner.controller.plan.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ends that a run can come to from several phases, in words. */
final class Endings {

    private Endings() {}

    static Ending abortRequested(RunEvent.AbortRequested abort) {
        return Ending.of(Outcome.ABORTED, StopCode.ABORT_REQUESTED, abort.reason());
    }

    static Ending controllerStopping() {
        return Ending.of(Outcome.ABORTED, StopCode.CONTROLLER_STOPPED, "the controller was stopped");
    }

    static Ending controllerRestarted() {
        return Ending.of(Outcome.ABORTED, StopCode.CONTROLLER_RESTARTED, "controller restarted");
    }

    static Ending notDelivered(RunEvent.NotDelivered failure) {
        return Ending.of(Outcome.FAILED, StopCode.NOT_DELIVERED,
                failure.what() + " could not be delivered to Kafka: " + failure.reason());
    }

    static Ending guard(RuleResult guard) {
        return Ending.of(Outcome.ABORTED, StopCode.GUARD_BREACHED, "guard " + guard.described());
    }

    static Ending telemetryLost(String detail) {
        return Ending.of(Outcome.INCONCLUSIVE, StopCode.TELEMETRY_LOST, "telemetry lost: " + detail);
    }

    /**
     * The budget is used up before there is an answer. What was learnt for it so far is kept: its low end is an honest
     * bound.
     *
     * @param estimate what the search said last; absent when it knew nothing yet
     */
    static Ending harm(Harm harm, double risk, RunBounds bounds, @Nullable Estimate estimate) {
        return new Ending(Outcome.INCONCLUSIVE, new StopReason(StopCode.HARM_BUDGET,
                "harm budget: " + Numbers.brief(harm.requests())
                        + " requests were harmed, the windows under way can harm " + Numbers.brief(risk) + ", and "
                        + Numbers.brief(harm.allowed(bounds)) + " are allowed"),
                estimate, null);
    }

    /** Bounds and signs of life that are looked at as time passes; the same in every phase with a lease out. */
    static Optional<Ending> overdue(RunState.Leased state, Instant now) {
        RunFacts facts = state.facts();
        if (!now.isBefore(facts.turnBack())) {
            return Optional.of(Ending.of(Outcome.INCONCLUSIVE, StopCode.MAX_DURATION,
                    "no answer within the longest duration of " + DurationText.write(facts.bounds().maxDuration())));
        }
        Lease lease = state.course().lease().newest();
        if (now.isAfter(lease.expiresAt())) {
            return Optional.of(Ending.of(Outcome.FAILED, StopCode.LEASE_LOST,
                    "the controller did not renew the lease in time: it ran out "
                            + DurationText.write(Duration.between(lease.expiresAt(), now)) + " ago"));
        }
        return Optional.empty();
    }

    /** What a redirector's report means for a run that has a lease out, when it is bad news. */
    static Optional<Ending> refused(RedirectorReport report, RunFacts facts) {
        if (report.epoch() > facts.epoch()) {
            return Optional.of(Ending.of(Outcome.FAILED, StopCode.FENCED,
                    "redirector " + report.redirector() + " follows epoch " + report.epoch() + ", this run has epoch "
                            + facts.epoch()));
        }
        boolean bad = switch (report.state()) {
            case REJECTED, EXPIRED, FAILED -> true;
            case NATURAL, PENDING, APPLIED, UNKNOWN -> false;
        };
        return bad && report.speaksOf(facts)
                ? Optional.of(Ending.of(Outcome.FAILED, StopCode.LEASE_LOST, report.described()))
                : Optional.empty();
    }
}

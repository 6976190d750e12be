// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ends that a run can have from several phases, with their details for people. */
final class StopConditions {

    private StopConditions() {}

    /** Returns the end that an event asks for in every phase with a lease out. */
    static RunEnd requested(RunEvent.Ending event) {
        return switch (event) {
            case RunEvent.AbortRequested abort ->
                RunEnd.of(RunOutcome.ABORTED, StopCode.ABORT_REQUESTED, abort.reason());
            case RunEvent.ControllerStopping ignored ->
                RunEnd.of(RunOutcome.ABORTED, StopCode.CONTROLLER_STOPPED, "the controller was stopped");
            case RunEvent.ClockJumped jump -> RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.CLOCK_JUMPED,
                    "the controller's clock was set by " + jump.by().toMillis()
                            + " ms, so ages and ends are not known any more");
            case RunEvent.Halted halted -> RunEnd.of(RunOutcome.ABORTED, halted.code(), halted.reason());
            case RunEvent.NotDelivered failure -> RunEnd.of(RunOutcome.FAILED, StopCode.NOT_DELIVERED,
                    failure.what() + " could not be delivered to Kafka: " + failure.reason());
        };
    }

    static RunEnd controllerLost() {
        return RunEnd.of(RunOutcome.ABORTED, StopCode.CONTROLLER_LOST,
                "the run's controller was lost, and nobody took the run over while its lease was in force");
    }

    static RunEnd guard(RuleResult guard) {
        return RunEnd.of(RunOutcome.ABORTED, StopCode.GUARD_BREACHED, "guard " + guard.describe());
    }

    /**
     * Returns the end of a run in which a limit of RedLiner itself, not the service, ended requests. It comes before a broken rule
     * or guard, which count such requests among the errors.
     */
    static Optional<RunEnd> ownLimit(RunFacts facts, WindowVerdict verdict) {
        return Optional.ofNullable(verdict.ownLimit())
                .map(limit -> RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.OWN_LIMIT,
                        limit.describe(facts.service()) + ". What the service would have answered is not known"));
    }

    static RunEnd telemetryLost(String detail) {
        return RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.TELEMETRY_LOST, "telemetry lost: " + detail);
    }

    static RunEnd shareNotFollowed(RunFacts facts, Share asked, TrafficSample sut) {
        return RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.SHARE_NOT_FOLLOWED,
                facts.sut() + " receives " + sut.share() + " of the traffic"
                        + sut.shareInterval()
                                .map(interval -> " (95% interval " + interval.describe() + ", on "
                                        + sut.shareRequests() + " requests)")
                                .orElse("")
                        + ", asked for was " + asked + ", for five windows");
    }

    /**
     * Returns the end of a run whose harm budget is used up before there is an answer. The estimate is kept: its low end is a valid
     * bound.
     *
     * @param estimate the last estimate of the search; absent before the first
     */
    static RunEnd harm(Harm harm, double risk, RunBounds bounds, @Nullable CapacityEstimate estimate) {
        return new RunEnd(RunOutcome.INCONCLUSIVE, new StopReason(StopCode.HARM_BUDGET,
                "harm budget: " + (long) Math.ceil(harm.requests())
                        + " requests broke the SLA beyond the peers while traffic was moved, the windows under way can harm "
                        + (long) Math.ceil(risk) + ", and " + (long) Math.floor(harm.allowed(bounds)) + " are allowed"),
                estimate, null);
    }

    /**
     * Returns the end of a run that is out of time or whose lease ran out; checked with each tick in every phase with a lease out.
     */
    static Optional<RunEnd> overdue(RunState.Leased state, Instant now) {
        RunFacts facts = state.facts();
        if (!now.isBefore(facts.turnBack())) {
            return Optional.of(outOfTime(state));
        }
        Lease lease = state.course().lease().newest();
        if (now.isAfter(lease.expiresAt())) {
            return Optional.of(RunEnd.of(RunOutcome.FAILED, StopCode.LEASE_LOST,
                    "the controller did not renew the lease in time: it ran out "
                            + DurationText.write(Duration.between(lease.expiresAt(), now)) + " ago"));
        }
        return Optional.empty();
    }

    private static RunEnd outOfTime(RunState.Leased state) {
        RunFacts facts = state.facts();
        StopCode limit = facts.limit();
        String message = limit == StopCode.FREEZE
                ? "a freeze begins at " + facts.end()
                : "no answer within the longest duration of " + DurationText.write(facts.bounds().maxDuration());
        return RunEnd.of(RunOutcome.INCONCLUSIVE, limit, state instanceof RunState.Paused
                ? "the run was paused, and nobody resumed it before " + facts.turnBack() + ": " + message
                : message);
    }

    /**
     * Returns the end of a run that has a lease out, when a redirector's report ends it. A change of the fleet comes before the
     * lease that failed because of it.
     *
     * @param progress after this report
     */
    static Optional<RunEnd> reported(RedirectorReport report, RunProgress progress, RunFacts facts, Instant now) {
        // A redirector does not follow a lease that it refused, and a lease that no controller issued ends no run.
        boolean rejected = report.state() == ReportedLeaseState.REJECTED;
        if (!rejected && Long.compareUnsigned(report.epoch(), facts.epoch()) > 0) {
            return Optional.of(RunEnd.of(RunOutcome.FAILED, StopCode.FENCED,
                    "redirector " + report.redirector() + " follows epoch " + Long.toUnsignedString(report.epoch())
                            + ", this run has epoch " + facts.epoch()));
        }
        if (!report.concerns(facts)) {
            return Optional.empty();
        }
        long sent = progress.lease().newest().sequence();
        boolean unsent = Long.compareUnsigned(report.leaseSequence(), sent) > 0;
        if (unsent && rejected) {
            return Optional.empty();
        }
        // A release may be sent before it is decided, so only a share that is in force shows that somebody else moves traffic.
        if (unsent && report.state() == ReportedLeaseState.APPLIED) {
            return Optional.of(RunEnd.of(RunOutcome.FAILED, StopCode.FENCED, "redirector " + report.redirector()
                    + " follows lease " + Long.toUnsignedString(report.leaseSequence())
                    + " of this run, whose newest is lease " + sent
                    + ": find out who else writes to the topic of leases"));
        }
        return fleetChanged(report, facts).or(() -> refused(report, progress.redirectors(), facts, now));
    }

    private static Optional<RunEnd> fleetChanged(RedirectorReport report, RunFacts facts) {
        List<FleetChange> changes = report.changes().stream().filter(FleetChanges::disturbs).toList();
        return changes.stream()
                .findFirst()
                .map(first -> RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.FLEET_CHANGED,
                        "the fleet changed under the test: " + FleetChanges.describe(first, facts.sut())
                                + (changes.size() == 1 ? "" : ", and " + (changes.size() - 1) + " more")
                                + ", says redirector " + report.redirector()));
    }

    private static Optional<RunEnd> refused(RedirectorReport report, Redirectors redirectors, RunFacts facts,
            Instant now) {
        boolean bad = switch (report.state()) {
            case REJECTED -> true;
            case EXPIRED, FAILED -> !proxiesMayBeElsewhere(report, redirectors, facts, now);
            case NATURAL, PENDING, APPLIED, UNKNOWN -> false;
        };
        if (!bad) {
            return Optional.empty();
        }
        // The kill switch reaches the redirectors before a controller other than the one that engaged it has read it.
        return Optional.of(report.reason().contains(KillSwitch.ENGAGED_BY)
                ? RunEnd.of(RunOutcome.ABORTED, StopCode.KILL_SWITCH, report.describe())
                : RunEnd.of(RunOutcome.FAILED, StopCode.LEASE_LOST, report.describe()));
    }

    /** Returns true when the redirector has no proxy, and another one is alive to which its proxies may have gone. */
    private static boolean proxiesMayBeElsewhere(RedirectorReport report, Redirectors redirectors, RunFacts facts,
            Instant now) {
        return !report.anyProxyConnected()
                && redirectors.othersAlive(report.redirector(), facts.times().redirectorSilence(), now);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.safety.Freeze;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Permits a run to begin, or rejects it with a reason.
 *
 * @param runs how many may be live at the same time, over all controllers; at least 1
 * @param runsPerCluster likewise in one cluster, at least 1
 */
public record StartPolicy(int runs, int runsPerCluster) {

    /** A run that has less time than this before a freeze finds no capacity. */
    private static final Duration MIN_TIME_BEFORE_FREEZE = Duration.ofSeconds(30);

    /** @throws IllegalArgumentException when a limit is below 1 */
    public StartPolicy {
        if (runs < 1 || runsPerCluster < 1) {
            throw new IllegalArgumentException("at least one run has to be allowed, not " + runs + " and "
                    + runsPerCluster + " per cluster");
        }
    }

    /**
     * The state that a start depends on, read under the lock that all starts take.
     *
     * @param freezes that touch the run's longest time
     * @param live runs
     * @param liveInCluster those of them in the run's cluster
     * @param harmBudget harmed requests that the service may have in a month; absent: any number
     * @param harmDone of them in this month
     */
    public record SafetyStatus(KillSwitch killSwitch, List<Freeze> freezes, int live, int liveInCluster,
            @Nullable Double harmBudget, double harmDone) {

        public SafetyStatus {
            freezes = List.copyOf(freezes);
        }
    }

    /**
     * Checks whether the run may begin. Returns its facts with the bounds that come with the permission: the next freeze
     * within its longest duration, and the harmed requests that the service has left in this month.
     *
     * @throws RunRejectedException when it may not begin
     */
    public RunFacts check(RunOrder order, SafetyStatus status) {
        RunFacts permitted = recheck(order, status);
        if (status.live() >= runs) {
            throw new RunRejectedException(RejectionReason.TOO_MANY_RUNS,
                    status.live() + " runs are live, and there may be " + runs);
        }
        if (status.liveInCluster() >= runsPerCluster) {
            throw new RunRejectedException(RejectionReason.TOO_MANY_RUNS,
                    status.liveInCluster() + " runs are live in cluster "
                            + order.cluster() + ", and there may be " + runsPerCluster);
        }
        return permitted;
    }

    /**
     * Requires that a run may start which is already among the live ones, because it waited for an approval.
     *
     * @throws RunRejectedException when it may not start
     */
    public RunFacts recheck(RunOrder order, SafetyStatus status) {
        if (status.killSwitch().engaged()) {
            throw new RunRejectedException(RejectionReason.KILL_SWITCH_ENGAGED, status.killSwitch().describe());
        }
        RunFacts facts = order.facts();
        Optional<Freeze> freeze = firstFreeze(facts, status.freezes());
        freeze.filter(first -> first.from().isBefore(facts.submittedAt().plus(MIN_TIME_BEFORE_FREEZE)))
                .ifPresent(first -> {
                    throw new RunRejectedException(RejectionReason.FROZEN, first.describe());
                });
        Double harmLeft = harmLeft(facts.service(), status);
        return facts.under(facts.clearance().withUntil(freeze.map(Freeze::from).orElse(null)))
                .bounded(harmLeft == null ? facts.bounds() : facts.bounds().withHarmLeft(harmLeft));
    }

    private static Optional<Freeze> firstFreeze(RunFacts facts, List<Freeze> freezes) {
        Instant begin = facts.submittedAt();
        Instant end = begin.plus(facts.bounds().maxDuration());
        return freezes.stream()
                .filter(freeze -> freeze.concerns(facts.service()) && freeze.overlaps(begin, end))
                .min(Comparator.comparing(Freeze::from));
    }

    private static @Nullable Double harmLeft(String service, SafetyStatus status) {
        Double budget = status.harmBudget();
        if (budget == null) {
            return null;
        }
        double left = budget - status.harmDone();
        if (left <= 0) {
            throw new RunRejectedException(RejectionReason.HARM_BUDGET_SPENT,
                    "service " + service + " may have "
                            + Math.round(budget) + " harmed requests in a month, and this month's runs have harmed "
                            + Math.round(status.harmDone()));
        }
        return left;
    }
}

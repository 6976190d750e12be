// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import io.redliner.contract.lease.KillSwitch;
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

    /** @throws IllegalArgumentException when nothing could ever begin */
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
     * Checks whether the run may begin.
     *
     * @throws RunRejectedException when it may not begin
     */
    public StartPermit check(StartRequest start, SafetyStatus status) {
        StartPermit permit = recheck(start, status);
        if (status.live() >= runs) {
            throw new RunRejectedException(RejectionReason.TOO_MANY_RUNS,
                    status.live() + " runs are live, and there may be " + runs);
        }
        if (status.liveInCluster() >= runsPerCluster) {
            throw new RunRejectedException(RejectionReason.TOO_MANY_RUNS,
                    status.liveInCluster() + " runs are live in cluster "
                            + start.cluster() + ", and there may be " + runsPerCluster);
        }
        return permit;
    }

    /**
     * The same for a run that is among the live ones already, because it waited for an approval.
     *
     * @throws RunRejectedException when it may not begin
     */
    public StartPermit recheck(StartRequest start, SafetyStatus status) {
        if (status.killSwitch().engaged()) {
            throw new RunRejectedException(RejectionReason.KILL_SWITCH_ENGAGED, status.killSwitch().describe());
        }
        Optional<Freeze> freeze = firstFreeze(start, status.freezes());
        freeze.filter(first -> first.from().isBefore(start.at().plus(MIN_TIME_BEFORE_FREEZE))).ifPresent(first -> {
            throw new RunRejectedException(RejectionReason.FROZEN, first.describe());
        });
        return new StartPermit(freeze.map(Freeze::from).orElse(null), harmLeft(start, status));
    }

    private static Optional<Freeze> firstFreeze(StartRequest start, List<Freeze> freezes) {
        Instant end = start.at().plus(start.longest());
        return freezes.stream()
                .filter(freeze -> freeze.concerns(start.service()) && freeze.overlaps(start.at(), end))
                .min(Comparator.comparing(Freeze::from));
    }

    private static @Nullable Double harmLeft(StartRequest start, SafetyStatus status) {
        Double budget = status.harmBudget();
        if (budget == null) {
            return null;
        }
        double left = budget - status.harmDone();
        if (left <= 0) {
            throw new RunRejectedException(RejectionReason.HARM_BUDGET_SPENT,
                    "service " + start.service() + " may have "
                            + Math.round(budget) + " harmed requests in a month, and this month's runs have harmed "
                            + Math.round(status.harmDone()));
        }
        return left;
    }

    /**
     * A run's permission to begin, and the bounds that come with it.
     *
     * @param until traffic has to be natural by then; absent when no freeze begins within its longest duration
     * @param harmLeft harmed requests that the service has left in this month; absent without such a budget
     */
    public record StartPermit(@Nullable Instant until, @Nullable Double harmLeft) {

        /** A permit without bounds. */
        public static final StartPermit UNBOUNDED = new StartPermit(null, null);
    }

    /**
     * A request to begin a run.
     *
     * @param cluster whose proxies it uses
     * @param at now
     * @param longest the longest time that the run may take
     */
    public record StartRequest(String service, String cluster, Instant at, Duration longest) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.stepplan.ProfileFindings;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run ends, decided when it starts to restore.
 *
 * @param estimate what the search knew; absent when it knew nothing
 * @param conclusion what the analyzer reported beside it; absent when it reported none
 * @param findings what the run's step plan found; absent without one
 */
public record RunEnd(RunOutcome outcome, StopReason reason, @Nullable CapacityEstimate estimate,
        @Nullable SearchConclusion conclusion,
        @Nullable ProfileFindings findings) {

    /** Of a run that follows the search. */
    public RunEnd(RunOutcome outcome, StopReason reason, @Nullable CapacityEstimate estimate,
            @Nullable SearchConclusion conclusion) {
        this(outcome, reason, estimate, conclusion, null);
    }

    /** What the run found, or is known to be at least; empty when it gives no capacity as its answer. */
    public Optional<CapacityEstimate> capacity() {
        return outcome == RunOutcome.CAPACITY_FOUND || outcome == RunOutcome.TRAFFIC_EXHAUSTED
                ? usable()
                : Optional.empty();
    }

    /** Whether the capacity is at least {@link #capacity}: nothing broke the SLA. */
    public boolean lowerBound() {
        return outcome == RunOutcome.TRAFFIC_EXHAUSTED;
    }

    /** The search's estimate in a run that gives no capacity as its answer. It is no result. */
    public Optional<CapacityEstimate> posterior() {
        return capacity().isPresent() ? Optional.empty() : usable();
    }

    /** The names of the checks that do not hold; a number is to be shown with them. */
    public List<String> doubts() {
        return conclusion == null ? List.of() : conclusion.doubts();
    }

    private Optional<CapacityEstimate> usable() {
        return Optional.ofNullable(estimate).filter(CapacityEstimate::usable);
    }

    RunEnd with(ProfileFindings newFindings) {
        return new RunEnd(outcome, reason, estimate, conclusion, newFindings);
    }

    /** With what a verdict says that came after the decision, where nothing was known before. */
    RunEnd knowing(WindowVerdict verdict) {
        return new RunEnd(outcome, reason, estimate == null ? verdict.estimate() : estimate,
                conclusion == null ? verdict.conclusion() : conclusion, findings);
    }

    static RunEnd of(RunOutcome outcome, StopCode code, String detail) {
        return new RunEnd(outcome, new StopReason(code, detail), null, null);
    }
}

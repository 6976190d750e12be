// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.capacity.KnownCapacity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run, decided when it starts to restore.
 *
 * @param estimate the search's estimate; absent when it had none
 * @param conclusion the analyzer's findings and checks; absent when it reported none
 * @param findings the findings of the run's step plan; absent without one
 */
public record RunEnd(RunOutcome outcome, StopReason reason, @Nullable CapacityEstimate estimate,
        @Nullable SearchConclusion conclusion,
        @Nullable ProfileFindings findings) {

    /** The end of a run that follows the search. */
    public RunEnd(RunOutcome outcome, StopReason reason, @Nullable CapacityEstimate estimate,
            @Nullable SearchConclusion conclusion) {
        this(outcome, reason, estimate, conclusion, null);
    }

    /** Returns the capacity that the run found, or its lower bound; empty when the run's answer is no capacity. */
    public Optional<CapacityEstimate> capacity() {
        return outcome == RunOutcome.CAPACITY_FOUND || outcome == RunOutcome.TRAFFIC_EXHAUSTED
                ? usable()
                : Optional.empty();
    }

    /** Returns true when {@link #capacity} is a lower bound, because no load broke the SLA. */
    public boolean lowerBound() {
        return outcome == RunOutcome.TRAFFIC_EXHAUSTED;
    }

    /** Returns the search's estimate in a run that gives no capacity as its answer. It is no result. */
    public Optional<CapacityEstimate> posterior() {
        return capacity().isPresent() ? Optional.empty() : usable();
    }

    /** Returns how far the run's numbers can be relied on; they are always shown with it. */
    public Certainty certainty() {
        return Certainty.of(conclusion);
    }

    /**
     * Returns the capacity combined with what earlier runs found; empty when none counts, and when this one may not be combined.
     */
    public Optional<KnownCapacity> combined() {
        return capacity().map(CapacityEstimate::combined)
                .filter(both -> both.runs() > 1 && Certainty.combinable(conclusion));
    }

    private Optional<CapacityEstimate> usable() {
        return Optional.ofNullable(estimate).filter(CapacityEstimate::usable);
    }

    RunEnd with(ProfileFindings newFindings) {
        return new RunEnd(outcome, reason, estimate, conclusion, newFindings);
    }

    /** Adds the estimate and the conclusion of a verdict that arrived after the decision, where the end has none. */
    RunEnd knowing(WindowVerdict verdict) {
        return new RunEnd(outcome, reason, estimate == null ? verdict.estimate() : estimate,
                conclusion == null ? verdict.conclusion() : conclusion, findings);
    }

    static RunEnd of(RunOutcome outcome, StopCode code, String detail) {
        return new RunEnd(outcome, new StopReason(code, detail), null, null);
    }
}

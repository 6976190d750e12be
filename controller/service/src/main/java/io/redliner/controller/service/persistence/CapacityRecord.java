// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.SearchConclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A capacity that was found, or with {@code lowerBound} one that the instance has at least.
 *
 * @param capacity requests/s, with the interval low to high
 * @param limitingRule the rule that limits it; empty while none does
 * @param harmRequests requests harmed to find it
 * @param runDuration from the submission to the end
 * @param conclusion what the limit was, and the run's checks, without the curve, which the run has; absent when the analyzer gave
 *            none
 * @param combined with what earlier runs found; absent when none counts, and when this one may not be combined
 */
public record CapacityRecord(String runId, String service, String instance, double capacity, double low, double high,
        boolean lowerBound, String limitingRule, @Nullable Double limitingValue, @Nullable Double limitingThreshold,
        @Nullable Double lastGood, @Nullable Double firstBad, double harmRequests, Duration runDuration,
        String planName, String planHash, Instant recordedAt, @Nullable SearchConclusion conclusion,
        @Nullable KnownCapacity combined) {

    /** Returns the capacity that the next run may build on; empty when this one may not be combined, or is only a lower bound. */
    public Optional<KnownCapacity> known() {
        if (lowerBound || !Certainty.combinable(conclusion)) {
            return Optional.empty();
        }
        return Optional.ofNullable(combined == null ? KnownCapacity.ofRun(capacity, low, high) : combined);
    }

    static CapacityRecord of(StoredRun run, RunState.Finished finished, RunCommand.RecordCapacity command) {
        CapacityEstimate estimate = command.estimate();
        SearchConclusion conclusion = finished.ending().conclusion();
        return new CapacityRecord(run.id(), finished.facts().service(), finished.facts().sut(), estimate.capacity(),
                estimate.low(), estimate.high(), command.lowerBound(), estimate.limitingRule(),
                estimate.limitingValue(),
                estimate.limitingThreshold(), estimate.lastGood(), estimate.firstBad(), finished.harm().requests(),
                finished.duration(), run.plan().name(), run.plan().hash(), finished.finishedAt(),
                conclusion == null ? null : new SearchConclusion(conclusion.bottleneck(), conclusion.validity()),
                finished.ending().combined().orElse(null));
    }
}

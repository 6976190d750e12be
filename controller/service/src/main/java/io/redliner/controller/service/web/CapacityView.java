// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.StoredCapacity;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capacity; rates are requests/s.
 *
 * @param version of the software that it was found with; absent when unknown
 * @param hardware class of the instance; absent when unknown
 * @param doubts the names of the checks that do not hold
 * @param previous of the same instance, and the change since; absent for the first
 * @param combined with what earlier runs found; absent when none counts, and when this one may not be combined
 */
record CapacityView(String service, String instance, double capacity, double low, double high, boolean lowerBound,
        String limitingRule, @Nullable Double limitingValue, @Nullable Double limitingThreshold,
        @Nullable Double lastGood, @Nullable Double firstBad, double harmRequests, double durationSeconds, String plan,
        String planHash, String runId, Instant recordedAt, List<SearchConclusion.Finding> bottleneck,
        List<SearchConclusion.ValidityCheck> validity, List<String> doubts, Certainty certainty,
        @Nullable String version,
        @Nullable String hardware,
        @Nullable PreviousView previous, @Nullable KnownCapacity combined) {

    /** The capacity that was known before; the change is in percent of it, with its 95 % interval. */
    record PreviousView(String runId, @Nullable String version, double capacity, double low, double high,
            boolean lowerBound, double changePercent, @Nullable Double changeLowPercent,
            @Nullable Double changeHighPercent, CapacityChange.Significance significance) {

        static @Nullable PreviousView of(StoredCapacity found) {
            StoredCapacity.Previous previous = found.previous();
            CapacityChange change = found.change().orElse(null);
            return previous == null || change == null
                    ? null
                    : new PreviousView(previous.runId(), previous.version(), previous.measured().capacity(),
                            previous.measured().low(), previous.measured().high(), previous.measured().lowerBound(),
                            change.percent(), change.lowPercent(), change.highPercent(), change.significance());
        }
    }

    static CapacityView of(StoredCapacity stored) {
        CapacityRecord capacity = stored.record();
        SearchConclusion conclusion = capacity.conclusion();
        Certainty certainty = Certainty.of(conclusion);
        return new CapacityView(capacity.service(), capacity.instance(), capacity.capacity(), capacity.low(),
                capacity.high(),
                capacity.lowerBound(), capacity.limitingRule(), capacity.limitingValue(), capacity.limitingThreshold(),
                capacity.lastGood(), capacity.firstBad(), capacity.harmRequests(),
                capacity.runDuration().toMillis() / 1000.0,
                capacity.planName(), capacity.planHash(), capacity.runId(), capacity.recordedAt(),
                conclusion == null ? List.of() : conclusion.bottleneck(),
                conclusion == null ? List.of() : conclusion.validity(),
                certainty.doubts(), certainty, stored.version(), stored.hardware(),
                PreviousView.of(stored), capacity.combined());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.service.persistence.StoredCapacity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capacity that an answer was made from; rates are requests/s.
 *
 * @param low what is counted on
 * @param lowerBound nothing limited the run: there may be more
 * @param doubts the names of the run's checks that do not hold
 * @param stale older than {@code redliner.controller.answers.stale-after}
 */
record CapacityBasis(@Nullable String hardware, double low, double capacity, boolean lowerBound, List<String> doubts,
        Certainty certainty, String instance,
        @Nullable String version, String runId, Instant recordedAt, long ageSeconds, boolean stale) {

    static CapacityBasis of(StoredCapacity stored, Instant now, Duration staleAfter) {
        Certainty certainty = Certainty.of(stored.record().conclusion());
        Duration age = Duration.between(stored.record().recordedAt(), now);
        return new CapacityBasis(stored.hardware(), stored.record().low(), stored.record().capacity(),
                stored.record().lowerBound(), certainty.doubts(), certainty,
                stored.record().instance(), stored.version(), stored.record().runId(),
                stored.record().recordedAt(), Math.max(0, age.toSeconds()), age.compareTo(staleAfter) > 0);
    }
}

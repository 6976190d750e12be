// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.plan.CanonicalPlan;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A series as it is in the database.
 *
 * @param plan that it was submitted with
 * @param version grows with each decision
 */
public record StoredSeries(String id, String service, CanonicalPlan plan,
        SeriesState state, long version, Instant createdAt, @Nullable Instant finishedAt) {

    public StoredSeries next(SeriesState newState) {
        SeriesState.End end = newState.end();
        return new StoredSeries(id, service, plan, newState, version + 1, createdAt, end == null ? null : end.at());
    }
}

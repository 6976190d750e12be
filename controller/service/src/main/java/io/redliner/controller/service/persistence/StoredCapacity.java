// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.capacity.CapacityChange.MeasuredCapacity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A capacity in its place in the history.
 *
 * @param id grows with each
 * @param version of the instance's software when it was found; absent when unknown
 * @param hardware class of the instance; absent when unknown
 * @param previous of the same instance; absent when there is none
 */
public record StoredCapacity(long id, CapacityRecord record, @Nullable String version, @Nullable String hardware,
        @Nullable Previous previous) {

    /** The capacity of the same instance that was found before. */
    public record Previous(String runId, @Nullable String version, MeasuredCapacity measured) {}

    /** Returns the capacity with its interval alone. */
    public static MeasuredCapacity measured(CapacityRecord record) {
        return new MeasuredCapacity(record.capacity(), record.low(), record.high(), record.lowerBound());
    }

    /** Returns the change since the capacity before; empty without one. */
    public Optional<CapacityChange> change() {
        return previous == null || !(previous.measured().capacity() > 0)
                ? Optional.empty()
                : Optional.of(CapacityChange.between(previous.measured(), measured(record)));
    }
}

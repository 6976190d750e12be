// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.StoredCapacity;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The capacities of the instances of one service. An instance has its own newest capacity. One that was never tested has the
 * newest capacity of its hardware class. No capacity is inferred from another class.
 */
final class InstanceCapacities {

    /** The newest capacities by instance. */
    private final Map<String, StoredCapacity> own = new HashMap<>();

    /** The newest capacities by hardware class; an unknown class is the empty text. */
    private final Map<String, StoredCapacity> byHardware = new LinkedHashMap<>();

    /**
     * Takes the capacities of one service.
     *
     * @param newest of each of its instances
     */
    InstanceCapacities(List<StoredCapacity> newest) {
        newest.stream()
                .sorted(Comparator.comparing((StoredCapacity one) -> one.record().recordedAt())
                        .thenComparingLong(StoredCapacity::id)
                        .reversed())
                .forEach(one -> {
                    own.put(one.record().instance(), one);
                    byHardware.putIfAbsent(hardware(one.hardware()), one);
                });
    }

    /** The newest capacity of each hardware class, the newest first. */
    Collection<StoredCapacity> classes() {
        return byHardware.values();
    }

    Optional<StoredCapacity> of(String instance, @Nullable String hardware) {
        StoredCapacity tested = own.get(instance);
        return Optional.ofNullable(tested == null ? byHardware.get(hardware(hardware)) : tested);
    }

    private static String hardware(@Nullable String hardware) {
        return Objects.requireNonNullElse(hardware, "");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question for the size of a fleet.
 *
 * @param service whose newest capacities are used; absent when {@code low} gives the capacity
 * @param low lower bound of the capacity of one instance, requests/s; absent when {@code service} is given
 * @param hardware the class to count; absent for all classes that the service was measured on
 * @param others the instances of other classes that the fleet has
 */
public record SizingRequest(@Nullable String service, @Nullable BigDecimal low, @Nullable String hardware,
        Demand demand, List<InstanceGroup> others) {

    public SizingRequest {
        others = List.copyOf(others);
    }
}

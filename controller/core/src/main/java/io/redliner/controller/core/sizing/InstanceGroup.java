// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.math.BigDecimal;

/**
 * Instances of one hardware class that a fleet has.
 *
 * @param low lower bound of the capacity of each, requests/s
 */
public record InstanceGroup(String hardware, BigDecimal low, long instances) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when the capacity is not above 0 or the number is negative
     */
    public InstanceGroup {
        if (low.signum() <= 0) {
            throw new IllegalArgumentException("the lower bound of the capacity must be above 0");
        }
        if (instances < 0) {
            throw new IllegalArgumentException("there cannot be fewer than no instances");
        }
    }

    /** Returns the capacity of all instances of the group, in requests/s. */
    BigDecimal total() {
        return low.multiply(BigDecimal.valueOf(instances));
    }

    /** Returns the capacity in the largest domain when the instances are spread as evenly as possible, in requests/s. */
    BigDecimal inLargestDomain(int domains) {
        return low.multiply(BigDecimal.valueOf((instances + domains - 1) / domains));
    }
}

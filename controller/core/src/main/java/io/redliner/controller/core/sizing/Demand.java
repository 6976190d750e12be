// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import java.math.BigDecimal;

/**
 * The load that a fleet has to carry, and the reserve that it needs.
 *
 * @param target requests/s of the whole service, above 0
 * @param headroom part of each instance's capacity that stays free, 0 to below 1: an instance of 100 requests/s with a
 *            headroom of 0.3 works at 70 requests/s at most
 * @param domains that the instances are spread over as evenly as possible
 * @param surviveLoss true when the fleet has to carry the load after the loss of its largest domain
 * @param headroomAtLoss part of each instance's capacity that stays free after such a loss
 */
public record Demand(BigDecimal target, BigDecimal headroom, int domains, boolean surviveLoss,
        BigDecimal headroomAtLoss) {

    private static final int MAX_DOMAINS = 1000;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException outside the ranges above
     */
    public Demand {
        if (target.signum() <= 0) {
            throw new IllegalArgumentException("the target must be above 0");
        }
        requireHeadroom(headroom);
        requireHeadroom(headroomAtLoss);
        requireDomains(domains);
    }

    /** Returns a demand without headroom, by a fleet that need not survive any loss. */
    public static Demand of(BigDecimal target) {
        return new Demand(target, BigDecimal.ZERO, 1, false, BigDecimal.ZERO);
    }

    /**
     * Returns the value if it is valid.
     *
     * @throws IllegalArgumentException outside 0 to below 1
     */
    public static BigDecimal requireHeadroom(BigDecimal headroom) {
        if (headroom.signum() < 0 || headroom.compareTo(BigDecimal.ONE) >= 0) {
            throw new IllegalArgumentException("must be at least 0% and below 100%");
        }
        return headroom;
    }

    /**
     * Returns the value if it is valid.
     *
     * @throws IllegalArgumentException outside 1 to 1000
     */
    public static int requireDomains(int domains) {
        if (domains < 1 || domains > MAX_DOMAINS) {
            throw new IllegalArgumentException("must be between 1 and " + MAX_DOMAINS);
        }
        return domains;
    }
}

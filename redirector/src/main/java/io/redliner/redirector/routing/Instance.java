// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

/**
 * One instance of a service.
 *
 * @param weight weight in the load balancing, 1 to 1000; its part of the sum of all weights is its natural share
 */
public record Instance(HostPort address, int weight) {

    private static final int MAX_WEIGHT = 1_000;

    public Instance {
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + " is outside 1 to " + MAX_WEIGHT);
        }
    }
}

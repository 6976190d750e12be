// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

/**
 * One {@code host:port} of a service.
 *
 * @param weight relative to the other instances' weights, 1 to 1000: it gets its part of their sum
 */
public record Instance(HostPort address, int weight) {

    private static final int MAX_WEIGHT = 1_000;

    public Instance {
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + " is outside 1 to " + MAX_WEIGHT);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

/**
 * One {@code host:port} of a service.
 *
 * @param weight its part of the service's traffic against the other instances' weights, 1 to 1000
 */
public record Instance(HostPort address, int weight) {

    private static final int MAX_WEIGHT = 1_000;

    public Instance {
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + " is outside 1 to " + MAX_WEIGHT);
        }
    }
}

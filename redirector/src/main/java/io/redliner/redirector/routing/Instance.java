// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.Optional;

/**
 * One instance of a service.
 *
 * @param weight weight in the load balancing, 1 to 1000; its part of the sum of all weights is its natural share
 * @param host name of the machine that it runs on, which no other machine has; at most 253 characters; empty when not known
 */
public record Instance(HostPort address, int weight, Optional<String> host) {

    private static final int MAX_WEIGHT = 1_000;

    /** Characters of a name in the DNS. */
    private static final int MAX_HOST = 253;

    public Instance {
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + " is outside 1 to " + MAX_WEIGHT);
        }
        host.ifPresent(Instance::checkHost);
    }

    /** Creates an instance on a machine that is not known. */
    public Instance(HostPort address, int weight) {
        this(address, weight, Optional.empty());
    }

    /**
     * Checks a machine's name.
     *
     * @throws IllegalArgumentException when it is blank, too long or has control characters
     */
    public static void checkHost(String name) {
        if (name.isBlank() || name.length() > MAX_HOST || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "the name of a machine has 1 to " + MAX_HOST + " characters, on one line");
        }
    }
}

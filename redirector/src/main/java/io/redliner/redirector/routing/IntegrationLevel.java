// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The way in which a data plane carries a service. Each data plane has its own levels. */
public interface IntegrationLevel {

    /**
     * A route that its owner wrote, as it is while no test is running.
     *
     * @param elsewhere the part of its requests that goes to instances which take no part in tests, 0 to 1
     * @param sut the part of the one instance that can be tested in the other requests, 0 to 1; absent when it follows from the
     *        weights of the instances
     */
    record OwnersRoute(double elsewhere, OptionalDouble sut) {}

    /** The leases that it can apply. */
    Capabilities capabilities();

    /** The address where proxies listen for the service's traffic; empty when it is not set here. */
    default Optional<HostPort> listenAddress() {
        return Optional.empty();
    }

    /** The owner's route; empty when the service's route comes from here. */
    default Optional<OwnersRoute> ownersRoute() {
        return Optional.empty();
    }

    /**
     * The names that only one service of the same proxies can use, in words for people such as {@code the cluster 'shop'}.
     *
     * @param service its name
     */
    default Set<String> claims(String service) {
        return Set.of();
    }

    /** Returns whether a lease needs more resources in the proxies than the share. */
    default boolean laidOut() {
        return true;
    }
}

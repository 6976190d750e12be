// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** How a data plane carries a service, as far as others have to know. Each data plane has its own kinds. */
public interface IntegrationLevel {

    /**
     * What a route that its owner wrote does when nobody tests.
     *
     * @param elsewhere the part of its requests that goes to instances that are no part of a test, 0 to 1
     * @param sut of the other requests, the part of the one instance that can be tested, 0 to 1; absent when the weights of the
     *        instances say it
     */
    record OwnersRoute(double elsewhere, OptionalDouble sut) {}

    /** What it can do. */
    Capabilities capabilities();

    /** Where the proxies listen for the service's traffic; empty when that is not set here. */
    default Optional<HostPort> listenAddress() {
        return Optional.empty();
    }

    /** Empty when the service's route comes from here. */
    default Optional<OwnersRoute> ownersRoute() {
        return Optional.empty();
    }

    /**
     * What no other service of the same proxies can have, for people, such as {@code the cluster 'shop'}.
     *
     * @param service its name
     */
    default Set<String> claims(String service) {
        return Set.of();
    }

    /** Whether proxies need more resources than the share before they can follow a lease. */
    default boolean laidOut() {
        return true;
    }
}

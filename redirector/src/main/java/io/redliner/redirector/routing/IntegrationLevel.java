// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
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

    /** Returns the leases that it can apply. */
    Capabilities capabilities();

    /** Returns the address where proxies listen for the service's traffic; empty when it is not set here. */
    default Optional<HostPort> listenAddress() {
        return Optional.empty();
    }

    /** Returns the owner's route; empty when the service's route comes from here. */
    default Optional<OwnersRoute> ownersRoute() {
        return Optional.empty();
    }

    /**
     * Returns the names that only one service of the same proxies can use, in words for people such as {@code the cluster 'shop'}.
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

    /**
     * The kinds of leases that a data plane can apply to a service.
     *
     * @param modes by which it can choose requests
     * @param cohorts whether a lease can apply to only some of the requests
     * @param onlySut the one instance that can be tested; empty for any
     * @param deadMansSwitch that makes traffic natural when a lease is not renewed
     */
    record Capabilities(Set<RedirectMode> modes, boolean cohorts, Optional<HostPort> onlySut,
            DeadMansSwitch deadMansSwitch) {

        /** The timer that makes traffic natural when a lease is not renewed. */
        public enum DeadMansSwitch {
            /** The proxy's own timer. */
            PROXY("its own timer"),
            /** The timer of clients that choose the instances themselves. */
            CLIENT("the clients' timer"),
            /** A process beside proxies that have no timer. */
            WATCHDOG("its watchdog");

            private final String message;

            DeadMansSwitch(String message) {
                this.message = message;
            }

            /** Returns the switch in words for people, to be used in "until ... ends it". */
            public String message() {
                return message;
            }
        }

        public Capabilities {
            modes = Set.copyOf(modes);
        }

        /**
         * Returns the reason why the data plane cannot apply a lease, or empty when it can.
         *
         * @param sut {@code host:port}
         */
        public Optional<String> problem(String service, Redirect redirect, String sut) {
            if (!modes.contains(redirect.mode())) {
                return Optional.of("the route of " + service + " chooses by " + modes + ", not by " + redirect.mode());
            }
            if (!cohorts && !redirect.cohorts().isEmpty()) {
                return Optional.of("the route of " + service + " is its owner's: cohorts have to be in it");
            }
            return onlySut.map(HostPort::toString).filter(only -> !only.equals(sut)).map(only -> "only " + only
                    + " has a cluster of its own among " + service + "'s instances");
        }
    }
}

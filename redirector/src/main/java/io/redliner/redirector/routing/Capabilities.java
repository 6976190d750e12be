// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.Optional;
import java.util.Set;

/**
 * What a data plane can do with a service, as its owner has it.
 *
 * @param modes by which it can choose requests
 * @param cohorts whether a lease can be about some of the requests only
 * @param onlySut the one instance that can be tested; empty for any
 * @param deadMansSwitch what makes traffic natural when nobody renews a lease any more
 */
public record Capabilities(Set<Redirect.Mode> modes, boolean cohorts, Optional<HostPort> onlySut,
        DeadMansSwitch deadMansSwitch) {

    /** What makes traffic natural when nobody renews a lease any more. */
    public enum DeadMansSwitch {
        /** For proxies that have one. */
        PROXY("its own timer"),
        /** Where clients choose the instances themselves. */
        CLIENT("the clients' timer"),
        /** A process beside proxies that have none. */
        WATCHDOG("its watchdog");

        private final String words;

        DeadMansSwitch(String words) {
            this.words = words;
        }

        /** After "until ... ends it". */
        public String words() {
            return words;
        }
    }

    public Capabilities {
        modes = Set.copyOf(modes);
    }

    /**
     * Why it cannot do what a lease asks for, or empty.
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

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import java.util.Optional;
import java.util.Set;

/**
 * The kinds of leases that a data plane can apply to a service.
 *
 * @param modes by which it can choose requests
 * @param cohorts whether a lease can apply to only some of the requests
 * @param onlySut the one instance that can be tested; empty for any
 * @param deadMansSwitch that makes traffic natural when a lease is not renewed
 */
public record Capabilities(Set<RedirectMode> modes, boolean cohorts, Optional<HostPort> onlySut,
        DeadMansSwitch deadMansSwitch) {

    /** The timer that makes traffic natural when a lease is not renewed. */
    public enum DeadMansSwitch {
        /** The proxy's own timer. */
        PROXY("its own timer"),
        /** The timer of clients that choose the instances themselves. */
        CLIENT("the clients' timer"),
        /** A process beside proxies that have no timer. */
        WATCHDOG("its watchdog");

        private final String words;

        DeadMansSwitch(String words) {
            this.words = words;
        }

        /** The switch in words for people, to be used in "until ... ends it". */
        public String words() {
            return words;
        }
    }

    public Capabilities {
        modes = Set.copyOf(modes);
    }

    /**
     * The reason why the data plane cannot apply a lease, or empty when it can.
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

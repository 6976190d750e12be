// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunState;
import io.redliner.simulation.Network.Place;
import io.redliner.simulation.SimulatedProxy.LeaseTag;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Checks what holds besides {@link Promises} whatever a forger writes. It is demanded of redirectors that Kafka reaches, and of proxies
 * that these reach: the others follow their last lease until its time to live is over.
 */
final class ForgedPromises {

    /** How long a redirector or a proxy may take to learn what all others know, ms. */
    private static final long SETTLING = 4000;

    /** The kill switch gives back what a forged lease had moved within this, ms. */
    private static final long NATURAL_WITHIN = 5000;

    /** A run ends within this after another lease is in force than its own, ms. */
    private static final long FENCED_WITHIN = 12_000;

    private final LoopSimulation loop;

    /** Since when a proxy follows a lease of a later epoch than the run's, ms. */
    private final Map<SimulatedProxy, Long> fencedSince = new HashMap<>();

    ForgedPromises(LoopSimulation loop) {
        this.loop = loop;
    }

    void check() {
        for (SimulatedProxy proxy : loop.proxies) {
            LeaseTag lease = proxy.lease();
            if (lease == null || lease.forged() == null) {
                fencedSince.remove(proxy);
            } else {
                ends(proxy, lease);
            }
            if (lease != null && loop.killSwitch.heldFor() > NATURAL_WITHIN && reached(proxy, SETTLING)) {
                throw new AssertionError("the kill switch is engaged, and " + proxy.node + " follows " + lease + " at "
                        + loop.time.now());
            }
        }
    }

    private void ends(SimulatedProxy proxy, LeaseTag lease) {
        boolean ownEpoch = !lease.forged().opens();
        if (loop.controllers.isEmpty() || !(ownEpoch || laterThanLive(lease))) {
            fencedSince.remove(proxy);
            return;
        }
        long since = fencedSince.computeIfAbsent(proxy, first -> loop.time.now());
        if (loop.time.now() - since > FENCED_WITHIN && reached(proxy, FENCED_WITHIN)
                && loop.network.reachedFor(Place.CONTROLLER) > FENCED_WITHIN && loop.driving().alive()
                && loop.driving().drivesFor() > FENCED_WITHIN) {
            throw new AssertionError((ownEpoch ? "nobody takes back " : "the run goes on although it is not ") + lease
                    + ", which " + proxy.node + " follows: " + loop.driving().state());
        }
    }

    private boolean laterThanLive(LeaseTag lease) {
        return loop.driving().state() instanceof RunState.Leased run && !(run instanceof RunState.Restoring)
                && Long.compareUnsigned(lease.epoch(), run.facts().epoch()) > 0;
    }

    private boolean reached(SimulatedProxy proxy, long settling) {
        if (proxy.lies || proxy.silent || proxy.refuses) {
            return false;
        }
        for (int number = 0; number < loop.redirectors.size(); number++) {
            SimulatedRedirector redirector = loop.redirectors.get(number);
            if (redirector.alive() && redirector.connectedFor(proxy) > settling
                    && loop.network.reachedFor(LoopSimulation.place(number)) > settling) {
                return true;
            }
        }
        return false;
    }

    /**
     * An answer is near loads that the instance under test had, and of a run that was checked.
     *
     * @param rules names of the plan's
     */
    static void answered(RunEnd ending, double highestLoad, Set<String> rules) {
        ending.capacity().ifPresent(found -> {
            boolean known = found.limitingRule().isEmpty() || rules.contains(found.limitingRule());
            if (!known || ending.conclusion() == null || found.capacity() > 2 * highestLoad) {
                throw new AssertionError("recorded is " + found + ", and the highest load was " + highestLoad + ": "
                        + ending);
            }
        });
    }
}

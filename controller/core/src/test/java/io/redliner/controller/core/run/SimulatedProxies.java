// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The proxies of the service, all connected to one of two redirectors. They may move to the other one, once. On their way they
 * follow their last lease until it expires.
 */
final class SimulatedProxies {

    private final List<SimulatedRedirector> redirectors;

    private final Instant leaveAt;

    private final Instant arriveAt;

    private int at;

    private boolean left;

    @Nullable
    private Lease carried;

    private Instant carriedUntil = Instant.MAX;

    SimulatedProxies(List<SimulatedRedirector> redirectors, Random random, boolean move) {
        this.redirectors = List.copyOf(redirectors);
        this.leaveAt = move ? Simulation.START.plusMillis(random.nextInt(15_000)) : Instant.MAX;
        this.arriveAt = move ? leaveAt.plusMillis(random.nextInt(4500)) : Instant.MAX;
    }

    /** Whether something moved. */
    boolean pass(Instant now) {
        redirectors.forEach(redirector -> redirector.lapse(now));
        if (!left && !now.isBefore(leaveAt)) {
            carried = redirectors.get(at).inForce();
            carriedUntil = redirectors.get(at).endsAt();
            left = true;
            return true;
        }
        if (left && at == 0 && !now.isBefore(arriveAt)) {
            at = 1;
            carried = null;
            return true;
        }
        return false;
    }

    /** Whether they are connected to it. */
    boolean at(int redirector) {
        return at == redirector && !(left && at == 0);
    }

    /** What the SUT gets of the traffic. */
    Share share(Share natural, Instant now) {
        if (left && at == 0) {
            return carried == null || !carriedUntil.isAfter(now) ? natural : carried.share();
        }
        return redirectors.get(at).share();
    }
}

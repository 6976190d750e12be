// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.util.Optional;

/**
 * An accepted lease, which is in force or on the way there.
 *
 * @param share that it asks for, rounded to one that its mode can reach
 * @param endsAt when the redirector ends it unless it is renewed; a margin before {@code expiry}
 * @param expiry when the proxies end it by themselves
 */
public record ActiveLease(Lease lease, Instance sut, Share share, Instant endsAt, Instant expiry)
        implements
            LeaseState {

    /** The way in which the lease moves traffic. */
    public Redirect redirect() {
        return lease.redirect();
    }

    /**
     * The reason why the lease ends when its service changes, or empty when it goes on.
     *
     * @param before the service before the change
     */
    Optional<String> endedBy(Service before, Service after) {
        Optional<Instance> there = after.instance(lease.sut());
        if (there.isEmpty()) {
            return Optional.of("instance " + lease.sut() + " is not in the fleet any more");
        }
        if (after.instances().size() < 2) {
            return Optional.of("the fleet has fewer than two instances left");
        }
        // A lease on the natural share sets no weights in an owner's route. It would set them once the natural share is another
        // one.
        Share was = before.naturalShare(sut);
        Share is = after.naturalShare(there.get());
        boolean natural = !after.integration().laidOut() || redirect().attainable(was).equals(share);
        return after.integration().ownersRoute().isPresent() && natural && !is.equals(was)
                ? Optional.of("the natural share of " + lease.sut() + " was " + was.ppm() + " ppm and is " + is.ppm()
                        + " ppm now, by its fleet or by the services file")
                : Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Share;
import java.time.Instant;
import java.util.Optional;

/**
 * A lease that is obeyed.
 *
 * @param share what it asks for, within bounds
 * @param endsAt when the redirector stops obeying it; a little before {@code expiry}
 * @param expiry when the proxies stop obeying it by themselves
 */
public record ActiveLease(Lease lease, Instance sut, Share share, Instant endsAt, Instant expiry) {

    /**
     * Why it ends when its service becomes another one, or empty when it goes on.
     *
     * @param before the service that it was accepted for
     */
    Optional<String> endedBy(Service before, Service after) {
        Optional<Instance> there = after.instance(lease.sut());
        if (there.isEmpty()) {
            return Optional.of("instance " + lease.sut() + " is not in the fleet any more");
        }
        if (after.instances().size() < 2) {
            return Optional.of("the fleet has fewer than two instances left");
        }
        // A lease on the natural share leaves the weights of an owner's route alone: on what was natural it would set them.
        Share was = Share.natural(before, sut);
        Share is = Share.natural(after, there.get());
        boolean natural = !after.integration().laidOut() || lease.redirect().attainable(was).equals(share);
        return after.integration().ownersRoute().isPresent() && natural && !is.equals(was)
                ? Optional.of("the natural share of " + lease.sut() + " was " + was.ppm() + " ppm and is " + is.ppm()
                        + " ppm now, by its fleet or by the services file")
                : Optional.empty();
    }

    /** Whether it is to be given up by now. */
    boolean overdue(Instant now) {
        return !endsAt.isAfter(now);
    }
}

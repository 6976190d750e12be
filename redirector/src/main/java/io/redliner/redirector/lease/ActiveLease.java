// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.Share;
import java.time.Instant;

/**
 * A lease that is obeyed.
 *
 * @param share what it asks for, within bounds
 * @param endsAt when the redirector stops obeying it; a little before {@code expiry}
 * @param expiry when the proxies stop obeying it by themselves
 */
public record ActiveLease(Lease lease, Instance sut, Share share, Instant endsAt, Instant expiry) {

    /** Whether it is to be given up by now. */
    boolean overdue(Instant now) {
        return !endsAt.isAfter(now);
    }
}

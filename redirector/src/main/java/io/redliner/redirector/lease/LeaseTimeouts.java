// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Duration;

/**
 * Times that apply to leases.
 *
 * @param margin time before its expiry at which the redirector ends a lease
 * @param acknowledgement how long a proxy may take to acknowledge
 * @param linger how long clusters stay after no route names them, for the requests that are in flight in them
 * @param laggardTraffic a share is in force when proxies with at most this part of a service's requests have not acknowledged it; 0
 *        for none
 */
public record LeaseTimeouts(Duration margin, Duration acknowledgement, Duration linger, double laggardTraffic) {

    public LeaseTimeouts {
        if (margin.isNegative() || acknowledgement.isNegative() || acknowledgement.isZero() || linger.isNegative()) {
            throw new IllegalArgumentException("margin " + margin + " and linger " + linger
                    + " must not be negative, acknowledgement " + acknowledgement + " must be above zero");
        }
    }
}

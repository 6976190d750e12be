// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.eventloop;

import io.redliner.redirector.lease.LeaseTimeouts;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Times of the event loop. The clusters of a lease outlive the lease in the proxies, so the linger is not below the margin.
 *
 * @param leaseMargin how long before its expiry a lease is given up
 * @param acknowledgementDeadline how long a proxy may take to acknowledge until it counts as silent
 * @param clusterLinger how long clusters stay after no route names them
 * @param statusInterval between two statuses of a service when nothing changes
 * @param catchUpDeadline how long the start waits for the earlier leases to be read before proxies are served without them
 * @param laggardTraffic a share counts as in force when proxies with at most this part of a service's requests have not
 *        acknowledged it; 0 to 0.1, and 0 for proxies that do not report their traffic
 */
@ConfigurationProperties("redliner.redirector.loop")
public record EventLoopProperties(@DefaultValue("300ms") Duration leaseMargin,
        @DefaultValue("2s") Duration acknowledgementDeadline, @DefaultValue("10s") Duration clusterLinger,
        @DefaultValue("1s") Duration statusInterval, @DefaultValue("5s") Duration catchUpDeadline,
        @DefaultValue("0.01") double laggardTraffic) {

    private static final double MAX_LAGGARD_TRAFFIC = 0.1;

    public EventLoopProperties {
        if (!(laggardTraffic >= 0 && laggardTraffic <= MAX_LAGGARD_TRAFFIC)) {
            throw new IllegalArgumentException("redliner.redirector.loop.laggard-traffic is a part from 0 to "
                    + MAX_LAGGARD_TRAFFIC + ", not " + laggardTraffic);
        }
        if (statusInterval.isZero() || statusInterval.isNegative() || catchUpDeadline.isNegative()) {
            throw new IllegalArgumentException("redliner.redirector.loop.status-interval must be above zero, "
                    + "catch-up-deadline not negative");
        }
        if (clusterLinger.compareTo(leaseMargin) < 0) {
            throw new IllegalArgumentException("redliner.redirector.loop.cluster-linger (" + clusterLinger.toMillis()
                    + " ms) must not be below redliner.redirector.loop.lease-margin (" + leaseMargin.toMillis()
                    + " ms), because a proxy may send requests to a lease's clusters until the lease expires: raise "
                    + "cluster-linger or lower lease-margin");
        }
    }

    LeaseTimeouts timeouts() {
        return new LeaseTimeouts(leaseMargin, acknowledgementDeadline, clusterLinger, laggardTraffic);
    }
}

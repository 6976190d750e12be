// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.catalog;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.redirect.Share;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of one redirector about one service.
 *
 * @param lease the lease that the redirector follows, followed last or refused
 * @param proxies some of them, those that do not follow the lease yet first
 * @param proxiesConnected how many there are
 * @param elsewhere where the route is its owner's: the part of its requests that goes to clusters outside of a test, as the
 *        services file says; absent where the route is the redirector's
 * @param killSwitch that the redirector obeys, for all services; absent when it does not say
 */
public record ServiceReport(String service, String redirector, KnownLease lease, List<KnownInstance> instances,
        List<KnownProxy> proxies, int proxiesConnected, @Nullable Share elsewhere, @Nullable KillSwitch killSwitch) {

    /** Creates a report for a service whose route is the redirector's, with all of its proxies. */
    public ServiceReport(String service, String redirector, KnownLease lease, List<KnownInstance> instances,
            List<KnownProxy> proxies) {
        this(service, redirector, lease, instances, proxies,
                (int) proxies.stream().filter(KnownProxy::connected).count(), null, null);
    }

    public ServiceReport {
        instances = List.copyOf(instances);
        proxies = List.copyOf(proxies);
    }

    /** The state of a lease in a redirector. */
    public enum Standing {
        /** Traffic is natural. */
        NATURAL,
        /** Traffic follows it, or is on the way there. */
        FOLLOWED,
        /** The lease was refused; the previous one stays in force. */
        REFUSED
    }

    /**
     * A lease, of whatever controller.
     *
     * @param runId empty without a lease
     * @param epoch unsigned; 0 without a lease
     * @param reason why it is not in force
     */
    public record KnownLease(String runId, long epoch, Standing standing, String reason) {}

    /** An instance, and its share of the traffic when no run is live. */
    public record KnownInstance(String address, Share naturalShare) {}

    /**
     * A proxy of a redirector.
     *
     * @param refusal what it refuses of the service's configuration, with its own words; absent when nothing
     */
    public record KnownProxy(String node, boolean connected, @Nullable String refusal) {

        /** A proxy that refuses nothing. */
        public KnownProxy(String node, boolean connected) {
            this(node, connected, null);
        }
    }
}

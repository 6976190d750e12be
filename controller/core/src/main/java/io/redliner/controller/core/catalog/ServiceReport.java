// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.catalog;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.RedirectorReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of one redirector about one service.
 *
 * @param lease that the redirector follows, followed last or refused, and some of its proxies
 * @param proxiesConnected how many proxies are connected, also those that the report does not name
 * @param elsewhere where the route is its owner's: the part of its requests that goes to clusters outside of a test, as the
 *        services file says; absent where the route is the redirector's
 * @param killSwitch that the redirector obeys, for all services; absent when it does not say
 */
public record ServiceReport(String service, RedirectorReport lease, List<KnownInstance> instances, int proxiesConnected,
        @Nullable Share elsewhere, @Nullable KillSwitch killSwitch) {

    public ServiceReport {
        instances = List.copyOf(instances);
    }

    /** The name of the redirector. */
    public String redirector() {
        return lease.redirector();
    }

    /** An instance, and its share of the traffic when no run is live. */
    public record KnownInstance(String address, Share naturalShare) {}
}

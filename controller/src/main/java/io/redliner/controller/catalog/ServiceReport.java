// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.catalog;

import io.redliner.controller.plan.Ppm;
import java.util.List;

/**
 * What one redirector says of one service.
 *
 * @param epoch of the lease that it follows, 0 without one
 */
public record ServiceReport(String service, String redirector, long epoch, List<KnownInstance> instances,
        List<KnownProxy> proxies) {

    public ServiceReport {
        instances = List.copyOf(instances);
        proxies = List.copyOf(proxies);
    }

    /** An instance, and what it gets when nobody tests. */
    public record KnownInstance(String address, Ppm naturalShare) {}

    /** A proxy of a redirector. */
    public record KnownProxy(String node, boolean connected) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.catalog;

import io.redliner.controller.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.catalog.ServiceReport.KnownProxy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A service as the redirectors tell of it.
 *
 * @param redirectors those that were heard of lately
 * @param lastSeen when any was heard of
 * @param fresh whether any was heard of lately
 * @param epoch the highest that any follows
 */
public record KnownService(String name, List<KnownInstance> instances, List<KnownProxy> proxies,
        List<String> redirectors, Instant lastSeen, boolean fresh, long epoch) {

    /** The instance with this address. */
    public Optional<KnownInstance> instance(String address) {
        return instances.stream().filter(instance -> instance.address().equals(address)).findFirst();
    }

    /** Whether there is a proxy that traffic can be moved with. */
    public boolean anyProxyConnected() {
        return fresh && proxies.stream().anyMatch(KnownProxy::connected);
    }
}

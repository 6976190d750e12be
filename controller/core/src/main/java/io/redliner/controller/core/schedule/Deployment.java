// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import io.redliner.contract.address.InstanceAddress;
import java.time.Instant;
import java.util.List;

/**
 * A version that a service runs since an instant.
 *
 * @param instances that run it; empty when not reported
 * @param receivedAt when this RedLiner first received it
 */
public record Deployment(String id, String service, String version, List<String> instances, Instant at,
        Instant receivedAt) {

    public Deployment {
        instances = instances.stream().map(InstanceAddress::canonical).toList();
    }

    /** Returns true when both report the same version for the same instances of a service, at whatever time. */
    public boolean sameAs(Deployment other) {
        return service.equals(other.service) && version.equals(other.version) && instances.equals(other.instances);
    }
}

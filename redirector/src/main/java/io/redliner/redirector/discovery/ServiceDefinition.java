// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.IntegrationLevel;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import java.util.List;

/**
 * A service without its instances, and the source of these.
 *
 * @param name see {@link Service}
 * @param proxies the group of proxies that carry it
 */
public record ServiceDefinition(String name, String proxies, IntegrationLevel integration, Upstream upstream,
        EndpointSource source) {

    public ServiceDefinition {
        integration.capabilities().onlySut().ifPresent(sut -> {
            if (!(source instanceof EndpointSource.Listed listed && listed.instances().stream()
                    .anyMatch(instance -> instance.address().equals(sut)))) {
                throw new IllegalArgumentException(
                        "service " + name + ": the SUT " + sut + " must be one of the listed instances");
            }
        });
        var unused = new Service(name, proxies, integration, upstream,
                source instanceof EndpointSource.Listed listed ? listed.instances() : List.of());
    }

    /** Returns the service with this fleet. */
    Service with(List<Instance> instances) {
        return new Service(name, proxies, integration, upstream, instances);
    }
}

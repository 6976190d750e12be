// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.service;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All services of this redirector, in the order of the file; names and listen ports are unique. */
public record ServiceCatalog(List<Service> services) {

    public ServiceCatalog {
        services = List.copyOf(services);
        Set<String> names = new HashSet<>();
        Set<Integer> ports = new HashSet<>();
        for (Service service : services) {
            if (!names.add(service.name())) {
                throw new IllegalArgumentException("service " + service.name() + " is listed twice");
            }
            if (!ports.add(service.listen().port())) {
                throw new IllegalArgumentException("service " + service.name() + ": listen port "
                        + service.listen().port() + " is taken by another service");
            }
        }
    }

    /** The service of this name, or empty. */
    public Optional<Service> find(String name) {
        return services.stream().filter(service -> service.name().equals(name)).findFirst();
    }
}

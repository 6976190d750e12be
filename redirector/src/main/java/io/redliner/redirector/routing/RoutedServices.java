// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All services of this redirector; names are unique, and listen ports are within a group of proxies.
 *
 * @param byName in the order of the file
 * @param suspended groups of proxies with a service whose instances are not known yet. They get nothing, so that they keep their
 *        configuration: an unknown fleet is not an empty one
 */
public record RoutedServices(Map<String, Service> byName, Set<String> suspended) {

    public RoutedServices {
        byName = new LinkedHashMap<>(byName);
        suspended = Set.copyOf(suspended);
    }

    /**
     * Checks and collects the services.
     *
     * @throws IllegalArgumentException when two services have one name, or two of one group have one port or one claim
     */
    public static RoutedServices of(Collection<Service> services, Set<String> suspended) {
        Map<String, Service> byName = new LinkedHashMap<>();
        Set<String> ports = new HashSet<>();
        Set<String> claims = new HashSet<>();
        for (Service service : services) {
            if (byName.put(service.name(), service) != null) {
                throw new IllegalArgumentException("service " + service.name() + " is listed twice");
            }
            for (String claim : service.integration().claims(service.name())) {
                if (!claims.add(service.proxies() + " " + claim)) {
                    throw new IllegalArgumentException("service " + service.name() + ": " + claim
                            + " is another service's of these proxies");
                }
            }
            service.integration().listenAddress().ifPresent(listen -> {
                if (!ports.add(service.proxies() + " " + listen.port())) {
                    throw new IllegalArgumentException("service " + service.name() + ": listen port "
                            + listen.port() + " is taken by another service of these proxies");
                }
            });
        }
        return new RoutedServices(byName, suspended);
    }

    /** Collects services whose instances are all known. */
    public static RoutedServices of(Collection<Service> services) {
        return of(services, Set.of());
    }

    /** Returns the services in the order of the file. */
    public List<Service> services() {
        return List.copyOf(byName.values());
    }

    /** Returns the service of this name, or empty. */
    public Optional<Service> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}

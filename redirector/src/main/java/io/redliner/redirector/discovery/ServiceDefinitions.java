// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.RoutedServices;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All services of the services file.
 *
 * @param services in the order of the file; names are unique, and listen ports are within a group of proxies
 */
public record ServiceDefinitions(List<ServiceDefinition> services) {

    public ServiceDefinitions {
        services = List.copyOf(services);
        var unused = RoutedServices.of(services.stream().map(definition -> definition.with(List.of())).toList());
    }

    Map<String, ServiceDefinition> byName() {
        return services.stream().collect(Collectors.toMap(ServiceDefinition::name, Function.identity()));
    }

    /** Receives changed definitions. Called from any thread. */
    public interface Listener {

        /** The definitions have changed to these. */
        void defined(ServiceDefinitions definitions);

        /** The newest definitions cannot be used; the message says where and what to do. */
        void definitionsRejected(String reason);
    }
}

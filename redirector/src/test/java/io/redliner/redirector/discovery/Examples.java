// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Services for tests. */
final class Examples {

    static final EndpointSource.Dns DNS = new EndpointSource.Dns("search.example.com", 8080, Duration.ofMillis(500),
            Optional.empty());

    static final EndpointSource.Kubernetes KUBERNETES = new EndpointSource.Kubernetes("shop", "cart",
            new EndpointSource.Port.Named("http"));

    private Examples() {}

    static ServiceDefinition service(String name, EndpointSource source) {
        return service(name, Service.DEFAULT_PROXIES, source);
    }

    static ServiceDefinition service(String name, String proxies, EndpointSource source) {
        return new ServiceDefinition(name, proxies, new EnvoyIntegration.RoutesAndEndpoints(),
                Upstream.plain(Optional.empty()),
                source);
    }

    static EndpointSource.Listed listed(String... addresses) {
        return new EndpointSource.Listed(instances(addresses));
    }

    static List<Instance> instances(String... addresses) {
        return Stream.of(addresses).map(address -> new Instance(HostPort.parse(address), 1)).toList();
    }

    static ServiceDefinitions definitions(ServiceDefinition... services) {
        return new ServiceDefinitions(List.of(services));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads where a service's instances are found: exactly one of {@code instances}, {@code dns} and {@code kubernetes}. */
final class FleetReader {

    private static final List<String> FIELDS = List.of("instances", "dns", "kubernetes");

    private static final Duration DEFAULT_EVERY = Duration.ofMillis(500);

    private FleetReader() {}

    /** Returns null after a mistake. */
    static @Nullable EndpointSource read(NodeReader service, String name) {
        FIELDS.forEach(service::optional);
        List<String> given = FIELDS.stream().filter(service::has).toList();
        if (given.size() > 1) {
            service.refuse(given.get(1), "service " + name + ": its instances are given by '" + given.get(0)
                    + "' already, keep one of the two");
            return null;
        }
        return switch (given.isEmpty() ? "" : given.getFirst()) {
            case "instances" -> listed(service, name);
            case "dns" -> dns(service.object("dns"));
            case "kubernetes" -> kubernetes(service.object("kubernetes"));
            default -> {
                service.mistake("service " + name + " needs one of the fields " + FIELDS
                        + " that says where its instances are");
                yield null;
            }
        };
    }

    private static EndpointSource.@Nullable Listed listed(NodeReader service, String name) {
        List<Instance> instances = new ArrayList<>();
        Set<HostPort> distinct = new HashSet<>();
        for (YamlNode item : service.list("instances", true)) {
            Instance instance = item instanceof YamlNode.Scalar
                    ? service.convert(item, text -> new Instance(HostPort.parse(text), 1))
                    : instance(service.object(item));
            if (instance != null && !distinct.add(instance.address())) {
                service.mistake(item, "service " + name + ": instance " + instance.address() + " is listed twice");
            } else if (instance != null) {
                instances.add(instance);
            }
        }
        return service.sound() ? service.attempt("instances", () -> new EndpointSource.Listed(instances)) : null;
    }

    private static @Nullable Instance instance(NodeReader fields) {
        HostPort address = fields.required("address", HostPort::parse);
        int weight = fields.optional("weight", ServicesFileParser::wholeNumber, 1);
        String host = fields.optional("host", ServicesFileParser.checked(Instance::checkHost));
        return fields.complete()
                ? fields.attempt("weight",
                        () -> new Instance(requireNonNull(address), weight, Optional.ofNullable(host)))
                : null;
    }

    private static @Nullable EndpointSource dns(NodeReader dns) {
        String name = dns.required("name", ServicesFileParser.checked(EndpointSource.Dns::checkName));
        Integer port = dns.required("port", FleetReader::port);
        Duration every = dns.optional("every", UpstreamReader::positive, DEFAULT_EVERY);
        HostPort server = dns.optional("server", HostPort::parse);
        return dns.make(() -> new EndpointSource.Dns(requireNonNull(name), requireNonNull(port), every,
                Optional.ofNullable(server)));
    }

    private static int port(String text) {
        int port = ServicesFileParser.wholeNumber(text);
        EndpointSource.checkPort(port);
        return port;
    }

    private static @Nullable EndpointSource kubernetes(NodeReader kubernetes) {
        String namespace = kubernetes.required("namespace",
                ServicesFileParser.checked(EndpointSource.Kubernetes::checkLabel));
        String service = kubernetes.required("service",
                ServicesFileParser.checked(EndpointSource.Kubernetes::checkLabel));
        EndpointSource.Port port = kubernetes.required("port", EndpointSource.Port::parse);
        return kubernetes.make(() -> new EndpointSource.Kubernetes(requireNonNull(namespace), requireNonNull(service),
                requireNonNull(port)));
    }
}

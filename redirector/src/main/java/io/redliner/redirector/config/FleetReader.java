// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.redirector.config.LocatedYaml.Mapping;
import io.redliner.redirector.config.LocatedYaml.Node;
import io.redliner.redirector.config.LocatedYaml.Scalar;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads where a service's instances are found: exactly one of {@code instances}, {@code dns} and {@code kubernetes}. */
final class FleetReader {

    static final List<String> FIELDS = List.of("instances", "dns", "kubernetes");

    private static final Duration DEFAULT_EVERY = Duration.ofMillis(500);

    private final LocatedYaml yaml;

    FleetReader(LocatedYaml yaml) {
        this.yaml = yaml;
    }

    EndpointSource read(Mapping service, String name) {
        List<Scalar> given = FIELDS.stream().flatMap(field -> yaml.key(service, field).stream()).toList();
        if (given.isEmpty()) {
            throw yaml.fault(service, "service " + name + " needs one of the fields " + FIELDS
                    + " that says where its instances are");
        }
        if (given.size() > 1) {
            throw yaml.fault(given.get(1), "service " + name + ": its instances are given by '" + given.get(0).text()
                    + "' already, keep one of the two");
        }
        Node node = yaml.required(service, given.getFirst().text(), "a service");
        return switch (given.getFirst().text()) {
            case "instances" -> listed(node, name);
            case "dns" -> dns(node);
            default -> kubernetes(node);
        };
    }

    private EndpointSource listed(Node list, String name) {
        List<Instance> instances = new ArrayList<>();
        Set<HostPort> distinct = new HashSet<>();
        for (Node node : yaml.sequence(list, "instances").items()) {
            Instance instance = instance(node);
            if (!distinct.add(instance.address())) {
                throw yaml.fault(node, "service " + name + ": instance " + instance.address() + " is listed twice");
            }
            instances.add(instance);
        }
        if (instances.size() < 2) {
            throw yaml.fault(list, "service " + name
                    + " needs at least two instances: one to test and one to compare with");
        }
        return new EndpointSource.Listed(instances);
    }

    private Instance instance(Node node) {
        if (node instanceof Scalar) {
            return new Instance(yaml.scalar(node, "an address", HostPort::parse), 1);
        }
        Mapping fields = yaml.mapping(node, "an instance", List.of("address", "weight", "host"));
        HostPort address = yaml.scalar(yaml.required(fields, "address", "an instance"), "an address", HostPort::parse);
        Optional<String> host = yaml.optional(fields, "host").map(name -> yaml.scalar(name, "a machine", text -> {
            Instance.checkHost(text);
            return text;
        }));
        return yaml.optional(fields, "weight")
                .map(weight -> yaml.scalar(weight, "a weight",
                        text -> new Instance(address, LocatedYaml.wholeNumber(text), host)))
                .orElseGet(() -> new Instance(address, 1, host));
    }

    private EndpointSource dns(Node node) {
        Mapping fields = yaml.mapping(node, "dns", List.of("name", "port", "every", "server"));
        String name = yaml.scalar(yaml.required(fields, "name", "dns"), "a DNS name", text -> {
            EndpointSource.Dns.checkName(text);
            return text;
        });
        int port = yaml.scalar(yaml.required(fields, "port", "dns"), "a port", text -> {
            int number = LocatedYaml.wholeNumber(text);
            EndpointSource.checkPort(number);
            return number;
        });
        Duration every = yaml.optional(fields, "every")
                .map(value -> yaml.scalar(value, "a duration", DurationParser::parse)).orElse(DEFAULT_EVERY);
        Optional<HostPort> server = yaml.optional(fields, "server")
                .map(value -> yaml.scalar(value, "an address", HostPort::parse));
        return new EndpointSource.Dns(name, port, every, server);
    }

    private EndpointSource kubernetes(Node node) {
        Mapping fields = yaml.mapping(node, "kubernetes", List.of("namespace", "service", "port"));
        return new EndpointSource.Kubernetes(label(fields, "namespace"), label(fields, "service"),
                yaml.scalar(yaml.required(fields, "port", "kubernetes"), "the name or number of a port",
                        EndpointSource.Port::parse));
    }

    private String label(Mapping fields, String field) {
        return yaml.scalar(yaml.required(fields, field, "kubernetes"), "a Kubernetes name", text -> {
            EndpointSource.Kubernetes.checkLabel(text);
            return text;
        });
    }
}

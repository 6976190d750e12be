// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.config.LocatedYaml.Mapping;
import io.redliner.redirector.config.LocatedYaml.Node;
import io.redliner.redirector.config.LocatedYaml.Scalar;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.HostPort;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads how much of a service's configuration in Envoy comes from here: {@code listen}, {@code endpoints}, {@code runtime} or
 * none of them.
 */
final class IntegrationReader {

    static final List<String> FIELDS = List.of("listen", "endpoints", "runtime");

    private static final List<String> ROUTE = List.of("keyPrefix", "sutCluster", "peersCluster", "weights",
            "selection");

    private final LocatedYaml yaml;

    IntegrationReader(LocatedYaml yaml) {
        this.yaml = yaml;
    }

    EnvoyIntegration read(Mapping service, String name, EndpointSource source) {
        Optional<Node> endpoints = yaml.optional(service, "endpoints");
        Optional<Node> runtime = yaml.optional(service, "runtime");
        if (runtime.isPresent()) {
            refuseBeside(service, name, "runtime", "listen", "endpoints");
            Mapping fields = fields(runtime.get(), "runtime", "sut");
            return yaml.at(fields, () -> new EnvoyIntegration.RuntimeOnly(text(fields, "keyPrefix", "runtime"),
                    sut(fields, name, source), text(fields, "sutCluster", "runtime"),
                    text(fields, "peersCluster", "runtime"), weights(fields), selection(fields)));
        }
        if (endpoints.isPresent()) {
            refuseBeside(service, name, "endpoints", "listen");
            Mapping fields = fields(endpoints.get(), "endpoints", "cluster");
            return yaml.at(fields, () -> new EnvoyIntegration.EndpointsOnly(text(fields, "keyPrefix", "endpoints"),
                    text(fields, "cluster", "endpoints"), text(fields, "sutCluster", "endpoints"),
                    text(fields, "peersCluster", "endpoints"), weights(fields), selection(fields)));
        }
        return yaml.optional(service, "listen")
                .<EnvoyIntegration>map(node -> new EnvoyIntegration.Everything(
                        yaml.scalar(node, "an address", HostPort::parse)))
                .orElseGet(EnvoyIntegration.RoutesAndEndpoints::new);
    }

    private Mapping fields(Node node, String level, String own) {
        return yaml.mapping(node, level, Stream.concat(ROUTE.stream(), Stream.of(own)).toList());
    }

    private void refuseBeside(Mapping service, String name, String level, String... others) {
        Stream.concat(Stream.of(others), Stream.of("timeout", "protocol", "tls", "ejection", "healthCheck",
                "circuitBreakers")).flatMap(field -> yaml.key(service, field).stream()).findFirst().ifPresent(key -> {
                    throw yaml.fault(key, "service " + name + ": '" + key.text() + "' has no effect with '" + level
                            + "', where listeners, routes and clusters are the proxies' owner's: take it out");
                });
    }

    private HostPort sut(Mapping fields, String name, EndpointSource source) {
        Node node = yaml.required(fields, "sut", "runtime");
        HostPort sut = yaml.scalar(node, "an address", HostPort::parse);
        if (!(source instanceof EndpointSource.Listed listed)) {
            throw yaml.fault(node, "service " + name
                    + ": with 'runtime' the SUT is fixed, so list the 'instances' that it is one of");
        }
        if (listed.instances().stream().noneMatch(instance -> instance.address().equals(sut))) {
            throw yaml.fault(node, "service " + name + ": the SUT " + sut + " is none of its instances");
        }
        return sut;
    }

    private Map<String, Integer> weights(Mapping fields) {
        Map<String, Integer> weights = new HashMap<>();
        yaml.optional(fields, "weights").ifPresent(node -> {
            Map<Scalar, Node> entries = yaml.entries(node, "weights");
            if (entries.isEmpty()) {
                throw yaml.fault(node,
                        "'weights' is empty: write the weights of all clusters of the route, or take it out");
            }
            entries.forEach((cluster, weight) -> weights.put(cluster.text(), yaml.wholeNumber(weight, "a weight")));
        });
        return weights;
    }

    private RedirectMode selection(Mapping fields) {
        return yaml.optional(fields, "selection")
                .map(node -> yaml.scalar(node, "split, modulo or hash", text -> switch (text) {
                    case "split" -> RedirectMode.SPLIT;
                    case "modulo" -> RedirectMode.MODULO;
                    case "hash" -> RedirectMode.HASH;
                    default -> throw new IllegalArgumentException("'" + text
                            + "' is not a selection: split, modulo or hash");
                })).orElse(RedirectMode.SPLIT);
    }

    private String text(Mapping fields, String field, String level) {
        return yaml.text(yaml.required(fields, field, level), "a text");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.redirector.config.LocatedYaml.Mapping;
import io.redliner.redirector.config.LocatedYaml.Node;
import io.redliner.redirector.config.LocatedYaml.Scalar;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.IntegrationLevel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads how much of a service's proxy configuration comes from here: {@code listen}, {@code runtime} or neither. */
final class IntegrationReader {

    static final List<String> FIELDS = List.of("listen", "runtime");

    private static final List<String> RUNTIME = List.of("keyPrefix", "sut", "sutCluster", "peersCluster", "weights",
            "selection");

    private final LocatedYaml yaml;

    IntegrationReader(LocatedYaml yaml) {
        this.yaml = yaml;
    }

    IntegrationLevel read(Mapping service, String name, EndpointSource fleet) {
        Optional<Node> listen = yaml.optional(service, "listen");
        Optional<Node> runtime = yaml.optional(service, "runtime");
        if (runtime.isEmpty()) {
            return listen.<IntegrationLevel>map(node -> new IntegrationLevel.Everything(
                    yaml.scalar(node, "an address", HostPort::parse)))
                    .orElseGet(IntegrationLevel.RoutesAndEndpoints::new);
        }
        refuseWithRuntime(service, name);
        Mapping fields = yaml.mapping(runtime.get(), "runtime", RUNTIME);
        return yaml.at(fields,
                () -> new IntegrationLevel.RuntimeOnly(text(fields, "keyPrefix"), sut(fields, name, fleet),
                        text(fields, "sutCluster"), text(fields, "peersCluster"), weights(fields), selection(fields)));
    }

    private void refuseWithRuntime(Mapping service, String name) {
        for (String field : List.of("listen", "timeout", "protocol", "tls", "ejection", "healthCheck",
                "circuitBreakers")) {
            Optional<Scalar> key = yaml.key(service, field);
            if (key.isPresent()) {
                throw yaml.fault(key.get(), "service " + name + ": '" + field + "' has no effect with 'runtime', where "
                        + "listeners, routes and clusters are the proxies' owner's: take it out");
            }
        }
    }

    private HostPort sut(Mapping fields, String name, EndpointSource fleet) {
        Node node = yaml.required(fields, "sut", "runtime");
        HostPort sut = yaml.scalar(node, "an address", HostPort::parse);
        if (!(fleet instanceof EndpointSource.Listed listed)) {
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

    private IntegrationLevel.Selection selection(Mapping fields) {
        return yaml.optional(fields, "selection")
                .map(node -> yaml.scalar(node, "split, modulo or hash", text -> switch (text) {
                    case "split" -> IntegrationLevel.Selection.SPLIT;
                    case "modulo" -> IntegrationLevel.Selection.MODULO;
                    case "hash" -> IntegrationLevel.Selection.HASH;
                    default -> throw new IllegalArgumentException("'" + text
                            + "' is not a selection: split, modulo or hash");
                })).orElse(IntegrationLevel.Selection.SPLIT);
    }

    private String text(Mapping fields, String field) {
        return yaml.text(yaml.required(fields, field, "runtime"), "a text");
    }
}

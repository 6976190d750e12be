// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.redliner.redirector.discovery.EndpointSource.Port;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All endpoint slices of one service: together they are its fleet. */
final class EndpointSlices {

    private static final String IPV4 = "IPv4";

    private static final String IPV6 = "IPv6";

    private final List<EndpointSlice> slices;

    private final Port port;

    EndpointSlices(Collection<EndpointSlice> slices, Port port) {
        this.slices = List.copyOf(slices);
        this.port = port;
    }

    /**
     * Returns the endpoints that take traffic, each on its node. A pod with addresses of both families is one instance, with the
     * IPv4 one.
     */
    Set<Instance> instances() {
        Map<HostPort, Set<String>> nodes = new HashMap<>();
        Set<String> pods = new HashSet<>();
        for (String family : List.of(IPV4, IPV6)) {
            Set<String> ofFamily = new HashSet<>();
            for (EndpointSlice slice : slices) {
                OptionalInt number = number(slice);
                if (!family.equals(slice.getAddressType()) || number.isEmpty()) {
                    continue;
                }
                for (Endpoint endpoint : orNone(slice.getEndpoints())) {
                    Optional<String> pod = pod(endpoint);
                    if (takesTraffic(endpoint) && pod.filter(pods::contains).isEmpty()) {
                        pod.ifPresent(ofFamily::add);
                        // Only the first has a meaning, says the API.
                        HostPort address = new HostPort(endpoint.getAddresses().getFirst(), number.getAsInt());
                        Set<String> named = nodes.computeIfAbsent(address, unused -> new HashSet<>());
                        node(endpoint).ifPresent(named::add);
                    }
                }
            }
            pods.addAll(ofFamily);
        }
        return nodes.entrySet().stream().map(entry -> onNode(entry.getKey(), entry.getValue()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<String> node(Endpoint endpoint) {
        return Optional.ofNullable(endpoint.getNodeName()).filter(name -> !name.isBlank());
    }

    /** Returns the endpoint on its node. When slices name two nodes, the endpoint is moving, and its node is not known. */
    private static Instance onNode(HostPort address, Set<String> nodes) {
        return new Instance(address, 1, nodes.size() == 1 ? nodes.stream().findFirst() : Optional.empty());
    }

    /** Returns the problem when endpoints take traffic and none of them has the port; empty otherwise. */
    Optional<String> missingPort() {
        boolean alive = slices.stream().flatMap(slice -> orNone(slice.getEndpoints()).stream())
                .anyMatch(EndpointSlices::takesTraffic);
        if (!alive || slices.stream().anyMatch(slice -> number(slice).isPresent())) {
            return Optional.empty();
        }
        Set<String> known = new TreeSet<>();
        slices.forEach(
                slice -> orNone(slice.getPorts()).forEach(one -> known.add(one.getName() + "=" + one.getPort())));
        return Optional.of("its endpoints have no port " + port + " but " + known);
    }

    private OptionalInt number(EndpointSlice slice) {
        List<EndpointPort> ports = orNone(slice.getPorts());
        return switch (port) {
            case Port.Named named -> ports.stream().filter(one -> named.name().equals(one.getName()))
                    .map(EndpointPort::getPort).filter(Objects::nonNull).mapToInt(Integer::intValue).findFirst();
            case Port.Numbered numbered -> ports.isEmpty() || ports.stream().anyMatch(one -> one.getPort() == null
                    || one.getPort() == numbered.number()) ? OptionalInt.of(numbered.number()) : OptionalInt.empty();
        };
    }

    private static boolean takesTraffic(Endpoint endpoint) {
        var conditions = endpoint.getConditions();
        // The API: a condition that is not known counts as ready, and as not terminating.
        boolean out = conditions != null && (Boolean.FALSE.equals(conditions.getReady())
                || Boolean.TRUE.equals(conditions.getTerminating()));
        return !out && !orNone(endpoint.getAddresses()).isEmpty();
    }

    private static Optional<String> pod(Endpoint endpoint) {
        return Optional.ofNullable(endpoint.getTargetRef()).map(reference -> reference.getUid());
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}

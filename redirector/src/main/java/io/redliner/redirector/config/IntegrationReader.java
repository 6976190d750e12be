// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.NodeReader;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.HostPort;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads how much of a service's configuration in Envoy comes from here: {@code listen}, {@code endpoints}, {@code runtime} or
 * none of them.
 */
final class IntegrationReader {

    private static final List<String> FIELDS = List.of("listen", "endpoints", "runtime");

    private final NodeReader serviceReader;

    private final String name;

    private final @Nullable EndpointSource source;

    private IntegrationReader(NodeReader serviceReader, String name, @Nullable EndpointSource source) {
        this.serviceReader = serviceReader;
        this.name = name;
        this.source = source;
    }

    /**
     * Returns null after a mistake.
     *
     * @param source null after a mistake
     */
    static @Nullable EnvoyIntegration read(NodeReader service, String name, @Nullable EndpointSource source) {
        FIELDS.forEach(service::optional);
        return new IntegrationReader(service, name, source).read();
    }

    private @Nullable EnvoyIntegration read() {
        if (serviceReader.has("runtime")) {
            refuseBeside("runtime", "listen", "endpoints");
            return onOwnersRoute(serviceReader.object("runtime"), true);
        }
        if (serviceReader.has("endpoints")) {
            refuseBeside("endpoints", "listen");
            return onOwnersRoute(serviceReader.object("endpoints"), false);
        }
        HostPort listen = serviceReader.optional("listen", HostPort::parse);
        return listen == null ? new EnvoyIntegration.RoutesAndEndpoints() : new EnvoyIntegration.Everything(listen);
    }

    private void refuseBeside(String level, String... others) {
        Stream.concat(Stream.of(others), Stream.of("timeout", "protocol", "tls", "ejection", "healthCheck",
                "circuitBreakers")).filter(serviceReader::has)
                .forEach(field -> serviceReader.refuse(field,
                        "service " + name + ": '" + field + "' has no effect with '" + level
                                + "', where listeners, routes and clusters are the proxies' owner's: take it out"));
    }

    private @Nullable EnvoyIntegration onOwnersRoute(NodeReader fields, boolean runtimeOnly) {
        String keyPrefix = fields.required("keyPrefix", ServicesFileParser::text);
        String cluster = runtimeOnly ? "" : fields.required("cluster", ServicesFileParser::text);
        HostPort sut = runtimeOnly ? fields.required("sut", this::sut) : null;
        String sutCluster = fields.required("sutCluster", ServicesFileParser::text);
        String peersCluster = fields.required("peersCluster", ServicesFileParser::text);
        Map<String, Integer> weights = fields.object("weights").entries(ServicesFileParser::wholeNumber);
        if (fields.has("weights") && weights.isEmpty() && fields.sound()) {
            fields.mistake("weights",
                    "'weights' is empty: write the weights of all clusters of the route, or take it out");
        }
        RedirectMode selection = fields.optional("selection", IntegrationReader::selection, RedirectMode.SPLIT);
        return fields.make(() -> runtimeOnly
                ? new EnvoyIntegration.RuntimeOnly(requireNonNull(keyPrefix), requireNonNull(sut),
                        requireNonNull(sutCluster), requireNonNull(peersCluster), weights, selection)
                : new EnvoyIntegration.EndpointsOnly(requireNonNull(keyPrefix), requireNonNull(cluster),
                        requireNonNull(sutCluster), requireNonNull(peersCluster), weights, selection));
    }

    private HostPort sut(String text) {
        HostPort sut = HostPort.parse(text);
        if (source instanceof EndpointSource.Listed listed) {
            if (listed.instances().stream().noneMatch(instance -> instance.address().equals(sut))) {
                throw new IllegalArgumentException(
                        "service " + name + ": the SUT " + sut + " is none of its instances");
            }
        } else if (source != null) {
            throw new IllegalArgumentException("service " + name
                    + ": with 'runtime' the SUT is fixed, so list the 'instances' that it is one of");
        }
        return sut;
    }

    private static RedirectMode selection(String text) {
        return switch (text) {
            case "split" -> RedirectMode.SPLIT;
            case "modulo" -> RedirectMode.MODULO;
            case "hash" -> RedirectMode.HASH;
            default -> throw new IllegalArgumentException("'" + text
                    + "' is not a selection: split, modulo or hash");
        };
    }
}

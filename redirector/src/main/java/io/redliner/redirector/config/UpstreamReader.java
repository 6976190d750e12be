// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.redirector.config.LocatedYaml.Mapping;
import io.redliner.redirector.config.LocatedYaml.Node;
import io.redliner.redirector.routing.Errors;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.routing.Upstream.CircuitBreakers;
import io.redliner.redirector.routing.Upstream.Ejection;
import io.redliner.redirector.routing.Upstream.HealthCheck;
import io.redliner.redirector.routing.Upstream.Protocol;
import io.redliner.redirector.routing.Upstream.Tls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads how proxies talk to the instances, and which answers are errors or streams: {@code timeout}, {@code protocol}, {@code tls},
 * {@code ejection}, {@code healthCheck}, {@code circuitBreakers}, {@code errors}, {@code streams}.
 */
final class UpstreamReader {

    static final List<String> FIELDS = List.of("timeout", "protocol", "tls", "ejection", "healthCheck",
            "circuitBreakers", "errors", "streams");

    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

    private static final Duration DEFAULT_BASE_TIME = Duration.ofSeconds(30);

    private static final int DEFAULT_MAX_PERCENT = 10;

    private static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(5);

    private static final Duration DEFAULT_CHECK_TIMEOUT = Duration.ofSeconds(1);

    private static final int DEFAULT_CHECKS = 2;

    private final LocatedYaml yaml;

    UpstreamReader(LocatedYaml yaml) {
        this.yaml = yaml;
    }

    Upstream read(Mapping service) {
        return yaml.optional(service, "healthCheck")
                .map(node -> yaml.at(node, () -> upstream(service, Optional.of(healthCheck(node)))))
                .orElseGet(() -> upstream(service, Optional.empty()));
    }

    private Upstream upstream(Mapping service, Optional<HealthCheck> healthCheck) {
        return new Upstream(protocol(service), timeout(service),
                yaml.optional(service, "tls").map(this::tls), yaml.optional(service, "ejection").map(this::ejection),
                healthCheck,
                yaml.optional(service, "circuitBreakers").map(this::breakers).orElse(CircuitBreakers.DEFAULT),
                yaml.optional(service, "errors").map(this::errors).orElse(Errors.DEFAULT),
                yaml.optional(service, "streams").map(this::streams).orElse(List.of()));
    }

    private Protocol protocol(Mapping service) {
        return yaml.optional(service, "protocol")
                .map(node -> yaml.scalar(node, "http1, http2 or grpc", text -> switch (text) {
                    case "http1" -> Protocol.HTTP1;
                    case "http2", "grpc" -> Protocol.HTTP2;
                    default -> throw new IllegalArgumentException("'" + text
                            + "' is not a protocol: http1, http2 or grpc");
                })).orElse(Protocol.HTTP1);
    }

    private Tls tls(Node node) {
        Mapping fields = yaml.mapping(node, "tls", List.of("sni", "trusted", "certificate", "key"));
        return yaml.at(node, () -> new Tls(yaml.text(yaml.required(fields, "sni", "tls"), "a name"),
                yaml.text(yaml.required(fields, "trusted", "tls"), "a path"),
                yaml.optional(fields, "certificate").map(path -> yaml.text(path, "a path")),
                yaml.optional(fields, "key").map(path -> yaml.text(path, "a path"))));
    }

    private Ejection ejection(Node node) {
        Mapping fields = yaml.mapping(node, "ejection",
                List.of("consecutiveErrors", "interval", "baseTime", "maxPercent"));
        Node errors = yaml.required(fields, "consecutiveErrors", "ejection");
        // Each number is checked at its own place in the file: here all but maxPercent, which is checked below.
        Ejection counted = yaml.at(errors, () -> new Ejection(yaml.wholeNumber(errors, "a number of errors"),
                duration(fields, "interval", DEFAULT_INTERVAL), duration(fields, "baseTime", DEFAULT_BASE_TIME),
                DEFAULT_MAX_PERCENT));
        Optional<Node> percent = yaml.optional(fields, "maxPercent");
        return percent.map(value -> yaml.scalar(value, "a percentage", text -> new Ejection(
                counted.consecutiveErrors(), counted.interval(), counted.baseTime(), LocatedYaml.wholeNumber(text))))
                .orElse(counted);
    }

    private HealthCheck healthCheck(Node node) {
        Mapping fields = yaml.mapping(node, "healthCheck",
                List.of("path", "host", "interval", "timeout", "unhealthy", "healthy"));
        return yaml.at(node, () -> new HealthCheck(yaml.optional(fields, "path").map(path -> yaml.text(path, "a path")),
                yaml.optional(fields, "host").map(host -> yaml.text(host, "a host")),
                duration(fields, "interval", DEFAULT_CHECK_INTERVAL),
                duration(fields, "timeout", DEFAULT_CHECK_TIMEOUT),
                number(fields, "unhealthy", DEFAULT_CHECKS), number(fields, "healthy", DEFAULT_CHECKS)));
    }

    private CircuitBreakers breakers(Node node) {
        Mapping fields = yaml.mapping(node, "circuitBreakers",
                List.of("connections", "pendingRequests", "requests", "retries"));
        CircuitBreakers usual = CircuitBreakers.DEFAULT;
        return yaml.at(node, () -> new CircuitBreakers(number(fields, "connections", usual.connections()),
                number(fields, "pendingRequests", usual.pendingRequests()),
                number(fields, "requests", usual.requests()), number(fields, "retries", usual.retries())));
    }

    private int number(Mapping fields, String field, int otherwise) {
        return yaml.optional(fields, field).map(node -> yaml.wholeNumber(node, "a number")).orElse(otherwise);
    }

    private Errors errors(Node node) {
        Mapping fields = yaml.mapping(node, "errors", List.of("http", "grpc"));
        return new Errors(
                yaml.optional(fields, "http")
                        .map(list -> statuses(list, "an HTTP status, or a range of them", Errors.Range::parse))
                        .orElse(Errors.DEFAULT.http()),
                yaml.optional(fields, "grpc").map(list -> statuses(list, "a gRPC status", Errors::parseGrpc))
                        .orElse(Errors.DEFAULT.grpc()));
    }

    private <T> List<T> statuses(Node list, String field, Function<String, T> reader) {
        return yaml.sequence(list, "statuses").items().stream().map(node -> yaml.scalar(node, field, reader)).toList();
    }

    private List<String> streams(Node list) {
        return yaml.sequence(list, "paths").items().stream()
                .map(node -> yaml.scalar(node, "the beginning of a path", Upstream::requirePath)).toList();
    }

    /** Zero means no timeout, as in Envoy. */
    private Optional<Duration> timeout(Mapping service) {
        return yaml.optional(service, "timeout")
                .map(node -> yaml.scalar(node, "a duration", DurationParser::parseOrZero));
    }

    private Duration duration(Mapping fields, String field, Duration otherwise) {
        return yaml.optional(fields, field).map(node -> yaml.scalar(node, "a duration", DurationParser::parse))
                .orElse(otherwise);
    }
}

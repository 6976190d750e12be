// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.NodeReader;
import io.redliner.contract.duration.Durations;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads how proxies talk to the instances, and which answers are errors or streams: {@code timeout}, {@code protocol}, {@code tls},
 * {@code ejection}, {@code healthCheck}, {@code circuitBreakers}, {@code errors}, {@code streams}.
 */
final class UpstreamReader {

    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

    private static final Duration DEFAULT_BASE_TIME = Duration.ofSeconds(30);

    private static final int DEFAULT_MAX_PERCENT = 10;

    private static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(5);

    private static final Duration DEFAULT_CHECK_TIMEOUT = Duration.ofSeconds(1);

    private static final int DEFAULT_CHECKS = 2;

    private UpstreamReader() {}

    /** Returns null after a mistake. */
    static @Nullable Upstream read(NodeReader service) {
        // Zero means no timeout, as in Envoy.
        Duration timeout = service.optional("timeout", UpstreamReader::duration);
        Protocol protocol = service.optional("protocol", UpstreamReader::protocol, Protocol.HTTP1);
        Tls tls = service.optionalObject("tls", UpstreamReader::tls);
        Ejection ejection = service.optionalObject("ejection", UpstreamReader::ejection);
        HealthCheck healthCheck = service.optionalObject("healthCheck", UpstreamReader::healthCheck);
        CircuitBreakers breakers = breakers(service.object("circuitBreakers"));
        Errors errors = errors(service.object("errors"));
        List<String> streams = service.convert(service.list("streams", false), Upstream::requirePath);
        return service.sound()
                ? service.attempt("healthCheck", () -> new Upstream(protocol, Optional.ofNullable(timeout),
                        Optional.ofNullable(tls), Optional.ofNullable(ejection), Optional.ofNullable(healthCheck),
                        requireNonNull(breakers), errors, streams))
                : null;
    }

    private static Protocol protocol(String text) {
        return switch (text) {
            case "http1" -> Protocol.HTTP1;
            case "http2", "grpc" -> Protocol.HTTP2;
            default -> throw new IllegalArgumentException("'" + text
                    + "' is not a protocol: http1, http2 or grpc");
        };
    }

    private static @Nullable Tls tls(NodeReader fields) {
        String sni = fields.required("sni", ServicesFileParser::text);
        String trusted = fields.required("trusted", ServicesFileParser::text);
        String certificate = fields.optional("certificate", ServicesFileParser::text);
        String key = fields.optional("key", ServicesFileParser::text);
        return fields.make(() -> new Tls(requireNonNull(sni), requireNonNull(trusted), Optional.ofNullable(certificate),
                Optional.ofNullable(key)));
    }

    private static @Nullable Ejection ejection(NodeReader fields) {
        Integer errors = fields.required("consecutiveErrors", ServicesFileParser::wholeNumber);
        Duration interval = fields.optional("interval", UpstreamReader::positive, DEFAULT_INTERVAL);
        Duration baseTime = fields.optional("baseTime", UpstreamReader::positive, DEFAULT_BASE_TIME);
        // Each number is checked at its own place in the file: here all but maxPercent, which is checked below.
        Ejection counted = errors == null
                ? null
                : fields.attempt("consecutiveErrors",
                        () -> new Ejection(errors, interval, baseTime, DEFAULT_MAX_PERCENT));
        return counted == null
                ? null
                : fields.optional("maxPercent", text -> new Ejection(counted.consecutiveErrors(), interval, baseTime,
                        ServicesFileParser.wholeNumber(text)), counted);
    }

    private static @Nullable HealthCheck healthCheck(NodeReader fields) {
        String path = fields.optional("path", ServicesFileParser::text);
        String host = fields.optional("host", ServicesFileParser::text);
        Duration interval = fields.optional("interval", UpstreamReader::positive, DEFAULT_CHECK_INTERVAL);
        Duration timeout = fields.optional("timeout", UpstreamReader::positive, DEFAULT_CHECK_TIMEOUT);
        int unhealthy = number(fields, "unhealthy", DEFAULT_CHECKS);
        int healthy = number(fields, "healthy", DEFAULT_CHECKS);
        return fields
                .make(() -> new HealthCheck(Optional.ofNullable(path), Optional.ofNullable(host), interval, timeout,
                        unhealthy, healthy));
    }

    private static @Nullable CircuitBreakers breakers(NodeReader fields) {
        CircuitBreakers usual = CircuitBreakers.DEFAULT;
        int connections = number(fields, "connections", usual.connections());
        int pendingRequests = number(fields, "pendingRequests", usual.pendingRequests());
        int requests = number(fields, "requests", usual.requests());
        int retries = number(fields, "retries", usual.retries());
        return fields.make(() -> new CircuitBreakers(connections, pendingRequests, requests, retries));
    }

    private static int number(NodeReader fields, String field, int otherwise) {
        return fields.optional(field, ServicesFileParser::wholeNumber, otherwise);
    }

    private static Errors errors(NodeReader fields) {
        return new Errors(statuses(fields, "http", Errors.Range::parse, Errors.DEFAULT.http()),
                statuses(fields, "grpc", Errors::parseGrpc, Errors.DEFAULT.grpc()));
    }

    private static <T> List<T> statuses(NodeReader fields, String field, Function<String, T> reader,
            List<T> otherwise) {
        List<T> statuses = fields.convert(fields.list(field, false), reader);
        return fields.has(field) ? statuses : otherwise;
    }

    private static Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("'" + text + "' " + malformed.getMessage(), malformed);
        }
    }

    static Duration positive(String text) {
        Duration duration = duration(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is not above zero");
        }
        return duration;
    }
}

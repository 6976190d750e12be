// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings for connections of proxies to a service's instances, and the answers that count as errors or streams.
 *
 * @param chosenTimeout longest time until the end of an answer, long streams apart; zero for no timeout; empty when the owner
 *        chose none
 * @param tls empty for connections without TLS
 * @param ejection empty when an instance that fails keeps getting requests
 * @param healthCheck empty when proxies do not check the health of instances
 * @param breakers limits of what a proxy may have in flight
 * @param errors statuses that the collectors count as errors; proxies treat all answers alike
 * @param streams prefixes of the paths whose requests are long streams; each begins with a slash
 */
public record Upstream(Protocol protocol, Optional<Duration> chosenTimeout, Optional<Tls> tls,
        Optional<Ejection> ejection,
        Optional<HealthCheck> healthCheck, CircuitBreakers breakers, Errors errors, List<String> streams) {

    /** The timeout when the owner chose none. It is Envoy's default. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);

    /** The protocol of the instances. */
    public enum Protocol {
        /** HTTP/1.1. */
        HTTP1,
        /** HTTP/2 without upgrade, gRPC included. */
        HTTP2
    }

    /**
     * TLS to the instances. Paths are on the proxies' machines.
     *
     * @param sni server name that is sent, and that the certificate must have
     * @param trusted path of the certificates that sign the instances' certificates, PEM
     * @param certificate path of the proxies' own certificate, PEM; empty: none
     * @param key path of its key; present exactly when the certificate is
     */
    public record Tls(String sni, String trusted, Optional<String> certificate, Optional<String> key) {

        public Tls {
            if (certificate.isPresent() != key.isPresent()) {
                throw new IllegalArgumentException("a certificate and its key go together");
            }
        }
    }

    /**
     * Outlier detection: when a proxy stops sending requests to an instance.
     *
     * @param consecutiveErrors 5xx answers in a row, 1 to 1000
     * @param interval between two evaluations, above zero
     * @param baseTime how long the first ejection lasts, above zero
     * @param maxPercent of the instances that may be out at once, 1 to 100
     */
    public record Ejection(int consecutiveErrors, Duration interval, Duration baseTime, int maxPercent) {

        private static final int MAX_ERRORS = 1_000;

        public Ejection {
            if (consecutiveErrors < 1 || consecutiveErrors > MAX_ERRORS) {
                throw new IllegalArgumentException("consecutive errors " + consecutiveErrors + " are outside 1 to "
                        + MAX_ERRORS);
            }
            if (maxPercent < 1 || maxPercent > 100) {
                throw new IllegalArgumentException("percentage " + maxPercent + " is outside 1 to 100");
            }
            if (interval.isNegative() || interval.isZero() || baseTime.isNegative() || baseTime.isZero()) {
                throw new IllegalArgumentException("interval and base time of an ejection must be above zero");
            }
        }
    }

    /**
     * The health check of each instance by each proxy. An unhealthy instance gets no requests, unless most of them are unhealthy.
     *
     * @param path of the HTTP request, which a healthy instance answers with 200; empty for gRPC's health service
     * @param host in the Host header, or the authority of the gRPC call; empty for {@link Service#hostName}
     * @param interval between two checks, above zero
     * @param timeout of an answer, above zero
     * @param unhealthy failures in a row after which it gets no requests, 1 to 100
     * @param healthy answers in a row after which it gets requests again, 1 to 100
     */
    public record HealthCheck(Optional<String> path, Optional<String> host, Duration interval, Duration timeout,
            int unhealthy, int healthy) {

        private static final int MAX_ANSWERS = 100;

        private static final Pattern HOST = Pattern.compile(
                "(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]{2,45}\\])(?::\\d{1,5})?");

        public HealthCheck {
            path.ifPresent(Upstream::requirePath);
            host.filter(name -> !HOST.matcher(name).matches()).ifPresent(name -> {
                throw new IllegalArgumentException("'" + name
                        + "' is not a host: a name or an address, and a port where it needs one, such as shop.example.com:8080");
            });
            if (interval.isNegative() || interval.isZero() || timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("interval and timeout of a health check must be above zero");
            }
            if (unhealthy < 1 || unhealthy > MAX_ANSWERS || healthy < 1 || healthy > MAX_ANSWERS) {
                throw new IllegalArgumentException("the answers in a row that count, " + unhealthy + " and " + healthy
                        + ", are outside 1 to " + MAX_ANSWERS);
            }
        }
    }

    /**
     * The limits of one proxy for one cluster of the service. A request beyond them is answered with 503 at once.
     *
     * @param connections 1 to 1 000 000
     * @param pendingRequests requests that wait for a connection, 1 to 1 000 000
     * @param requests 1 to 1 000 000
     * @param retries 0 to 1 000 000
     */
    public record CircuitBreakers(int connections, int pendingRequests, int requests, int retries) {

        /**
         * By Little's law 10 000 requests in flight are 20 000 requests/s of 500 ms at one proxy. An instance that hangs holds no
         * more than that, so the proxy stays alive for its other services.
         */
        public static final CircuitBreakers DEFAULT = new CircuitBreakers(10_000, 10_000, 10_000, 1_000);

        private static final int HIGHEST = 1_000_000;

        public CircuitBreakers {
            check("connections", connections, 1);
            check("pendingRequests", pendingRequests, 1);
            check("requests", requests, 1);
            check("retries", retries, 0);
        }

        private static void check(String field, int number, int lowest) {
            if (number < lowest || number > HIGHEST) {
                throw new IllegalArgumentException(field + " " + number + " is outside " + lowest + " to " + HIGHEST);
            }
        }
    }

    public Upstream {
        if (chosenTimeout.filter(Duration::isNegative).isPresent()) {
            throw new IllegalArgumentException("timeout must not be below zero");
        }
        if (protocol == Protocol.HTTP1 && healthCheck.filter(check -> check.path().isEmpty()).isPresent()) {
            throw new IllegalArgumentException(
                    "a healthCheck without a path asks gRPC's health service: give it a path, or say protocol: grpc");
        }
        streams = List.copyOf(streams);
        streams.forEach(Upstream::requirePath);
    }

    /**
     * Checks the prefix of a path.
     *
     * @throws IllegalArgumentException when it does not begin with a slash
     */
    public static String requirePath(String prefix) {
        if (!prefix.startsWith("/")) {
            throw new IllegalArgumentException("a path begins with a slash; not '" + prefix + "'");
        }
        return prefix;
    }

    /** Returns the longest time until the end of an answer, long streams apart; zero for no timeout. */
    public Duration timeout() {
        return chosenTimeout.orElse(DEFAULT_TIMEOUT);
    }

    /** HTTP/1.1 in the clear, no ejection, no health check, the default circuit breakers, the usual errors, no paths of streams. */
    public static Upstream plain(Optional<Duration> chosenTimeout) {
        return new Upstream(Protocol.HTTP1, chosenTimeout, Optional.empty(), Optional.empty(), Optional.empty(),
                CircuitBreakers.DEFAULT, Errors.DEFAULT, List.of());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How proxies talk to a service's instances, and which of their answers are errors or streams.
 *
 * @param chosenTimeout after which a proxy gives up waiting for the end of an answer, but of a long stream; zero for never; empty
 *        where the owner chose none
 * @param tls empty: in the clear
 * @param ejection empty: an instance that fails keeps getting requests
 * @param healthCheck empty: proxies do not ask instances whether they are healthy
 * @param breakers what a proxy may have under way
 * @param errors by which statuses an instance fails, to the collectors; proxies treat all answers alike
 * @param streams prefixes of the paths whose requests are long streams, to the collectors; each begins with a slash
 */
public record Upstream(Protocol protocol, Optional<Duration> chosenTimeout, Optional<Tls> tls,
        Optional<Ejection> ejection,
        Optional<HealthCheck> healthCheck, CircuitBreakers breakers, Errors errors, List<String> streams) {

    /** Where the owner chose none: Envoy's own. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);

    /** What instances speak. */
    public enum Protocol {
        /** HTTP/1.1. */
        HTTP1,
        /** HTTP/2 without upgrade, gRPC included. */
        HTTP2
    }

    /**
     * Paths are on the proxies' machines.
     *
     * @param sni name that is asked for and that the certificate must show
     * @param trusted path of the certificates that sign the instances' ones, PEM
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
     * @param interval between two looks, above zero
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
     * How each proxy asks each instance whether it is healthy; one that is not gets no requests, unless most are not.
     *
     * @param path of an HTTP request that is answered with 200; empty: gRPC's health service
     * @param host what they give as its Host, or as the authority of a gRPC call; empty: {@link Service#hostName}
     * @param interval between two questions, above zero
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
     * What one proxy may have under way in one cluster of the service. A request beyond that gets a 503 at once.
     *
     * @param connections 1 to 1 000 000
     * @param pendingRequests requests that wait for a connection, 1 to 1 000 000
     * @param requests 1 to 1 000 000
     * @param retries 0 to 1 000 000
     */
    public record CircuitBreakers(int connections, int pendingRequests, int requests, int retries) {

        /**
         * By Little's law 10 000 requests under way are 20 000 requests/s of 500 ms at one proxy. An instance
         * that hangs gets no more than that, so the proxy stays alive for its other services.
         */
        public static final CircuitBreakers DEFAULT = new CircuitBreakers(10_000, 10_000, 10_000, 1_000);

        private static final int HIGHEST = 1_000_000;

        public CircuitBreakers {
            check("connections", connections, 1);
            check("pendingRequests", pendingRequests, 1);
            check("requests", requests, 1);
            check("retries", retries, 0);
        }

        private static void check(String what, int number, int lowest) {
            if (number < lowest || number > HIGHEST) {
                throw new IllegalArgumentException(what + " " + number + " is outside " + lowest + " to " + HIGHEST);
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

    /** After which a proxy gives up waiting for the end of an answer, but of a long stream; zero for never. */
    public Duration timeout() {
        return chosenTimeout.orElse(DEFAULT_TIMEOUT);
    }

    /** HTTP/1.1 in the clear, no ejection, no health check, the default circuit breakers, the usual errors, no paths of streams. */
    public static Upstream plain(Optional<Duration> chosenTimeout) {
        return new Upstream(Protocol.HTTP1, chosenTimeout, Optional.empty(), Optional.empty(), Optional.empty(),
                CircuitBreakers.DEFAULT,
                Errors.DEFAULT, List.of());
    }
}

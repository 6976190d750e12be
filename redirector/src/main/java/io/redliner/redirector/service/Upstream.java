// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.service;

import java.time.Duration;
import java.util.Optional;

/**
 * How proxies talk to a service's instances.
 *
 * @param timeout after which a proxy gives up waiting for an answer, above zero
 * @param tls empty: in the clear
 * @param ejection empty: an instance that fails keeps getting requests
 */
public record Upstream(Protocol protocol, Duration timeout, Optional<Tls> tls, Optional<Ejection> ejection) {

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

        private static final int MOST_ERRORS = 1_000;

        public Ejection {
            if (consecutiveErrors < 1 || consecutiveErrors > MOST_ERRORS) {
                throw new IllegalArgumentException("consecutive errors " + consecutiveErrors + " are outside 1 to "
                        + MOST_ERRORS);
            }
            if (maxPercent < 1 || maxPercent > 100) {
                throw new IllegalArgumentException("percentage " + maxPercent + " is outside 1 to 100");
            }
            if (interval.isNegative() || interval.isZero() || baseTime.isNegative() || baseTime.isZero()) {
                throw new IllegalArgumentException("interval and base time of an ejection must be above zero");
            }
        }
    }

    public Upstream {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must be above zero");
        }
    }

    /** HTTP/1.1 in the clear, no ejection. */
    public static Upstream plain(Duration timeout) {
        return new Upstream(Protocol.HTTP1, timeout, Optional.empty(), Optional.empty());
    }
}

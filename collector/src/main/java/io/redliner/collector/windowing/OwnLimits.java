// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.Map;

/**
 * Limits of a service's requests that RedLiner chose because the service's owner named none. A request that such a limit ends is
 * no error of the service.
 *
 * @param values milliseconds of a timeout, requests of a circuit breaker; limits that the owner chose are absent
 */
public record OwnLimits(Map<ProxyLimit, Long> values) {

    /** The owner chose all. */
    public static final OwnLimits NONE = new OwnLimits(Map.of());

    private static final long MICROS_IN_MILLI = 1_000;

    public OwnLimits {
        values = Map.copyOf(values);
    }

    /**
     * Returns whether such a limit ended the request. A client may ask for another timeout than the route's; then the proxy
     * reports the client's.
     */
    boolean ended(RequestRecord end) {
        ProxyLimit limit = end.limit();
        Long value = limit == null ? null : values.get(limit);
        return value != null && (limit != ProxyLimit.ROUTE_TIMEOUT || end.timeoutMicros() == 0
                || end.timeoutMicros() == value * MICROS_IN_MILLI);
    }

    /**
     * Requests that a limit of RedLiner's own ended in the last minute.
     *
     * @param value milliseconds of a timeout, requests of a circuit breaker
     * @param ended requests that it ended
     * @param requests all that ended in the same time
     */
    public record OwnLimitEnds(ProxyLimit limit, long value, long ended, long requests) {}

    /** A limit of the proxy that ended a request. */
    public enum ProxyLimit {

        /** The route's: until the end of the answer. */
        ROUTE_TIMEOUT,

        /** The time without a byte of the request or the answer. */
        IDLE_TIMEOUT,

        /** Requests that a proxy may have under way. */
        CIRCUIT_BREAKER
    }
}

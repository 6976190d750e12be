// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

/**
 * Requests that a limit of the proxies ended in the last minute, which RedLiner chose and not the owner of the service.
 *
 * @param kind the contract's name of the limit
 * @param value milliseconds of a timeout, requests of a circuit breaker
 * @param ended of the requests
 * @param requests all that ended in the same time
 */
public record OwnLimitEnds(String kind, long value, long ended, long requests) {

    /** The same limit at several instances, or by several collectors. */
    OwnLimitEnds plus(OwnLimitEnds other) {
        return new OwnLimitEnds(kind, Math.max(value, other.value), ended + other.ended, requests + other.requests);
    }
}

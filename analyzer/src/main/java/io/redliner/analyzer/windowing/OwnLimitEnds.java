// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

/**
 * Requests of the last minute that were ended by a proxy limit of RedLiner's choice, not of the service owner's.
 *
 * @param kind the contract's name of the limit
 * @param value milliseconds of a timeout, requests of a circuit breaker
 * @param ended requests that the limit ended
 * @param requests all requests that ended in the same time
 */
public record OwnLimitEnds(String kind, long value, long ended, long requests) {

    /** Adds the requests that the same limit ended at another instance, or as counted by another collector. */
    OwnLimitEnds plus(OwnLimitEnds other) {
        return new OwnLimitEnds(kind, Math.max(value, other.value), ended + other.ended, requests + other.requests);
    }
}

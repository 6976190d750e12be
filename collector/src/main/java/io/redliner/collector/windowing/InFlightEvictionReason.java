// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Why a request in flight is no longer followed although its end was never seen. */
public enum InFlightEvictionReason {

    /** The proxy stream that reported its start closed. */
    STREAM_CLOSED,

    /**
     * The proxy should have given it up: it is older than its timeout and the horizon together, or than
     * {@link WindowSettings#longestRequest()}. Its end was probably lost.
     */
    EXPIRED,

    /** The request is over after several attempts, and the proxy did not tell what came of this one. */
    SUPERSEDED
}

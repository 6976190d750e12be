// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** A limit of the proxy that ended a request. */
public enum ProxyLimit {

    /** The route's: until the end of the answer. */
    ROUTE_TIMEOUT,

    /** The time without a byte of the request or the answer. */
    IDLE_TIMEOUT,

    /** Requests that a proxy may have under way. */
    CIRCUIT_BREAKER
}

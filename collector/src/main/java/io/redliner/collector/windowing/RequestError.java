// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Causes of failed requests. Each failed request is counted once, under its first cause. */
public enum RequestError {

    /** The instance answered with one of the {@link ErrorStatuses}. */
    SERVER,

    /** The proxy gave up waiting for the instance. */
    TIMEOUT,

    /** The connection to the instance was refused or could not be made. */
    CONNECT,

    /** The instance or the network broke an established exchange. */
    RESET,

    /** The proxy itself refused: circuit breaker, overload, no healthy host. */
    REFUSED_BY_PROXY
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

/** Why a request in flight is no longer followed although its end was never seen. */
public enum ForgetReason {

    /** The proxy stream that reported its start closed. */
    STREAM_CLOSED,

    /** It is older than {@link WindowSettings#longestRequest()}: its end was probably lost. */
    EXPIRED,

    /** Another start with the same id came: the proxy tries again, here or at another instance. */
    SUPERSEDED
}

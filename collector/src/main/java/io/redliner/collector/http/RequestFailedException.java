// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.http;

/** Thrown when a server gave no usable answer. */
public final class RequestFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final RequestFailureReason reason;

    /** @param message what happened, in words that go after the server's name */
    public RequestFailedException(RequestFailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Creates the exception of an answer that is not in the format of its content type. */
    public static RequestFailedException malformed(String message) {
        return new RequestFailedException(RequestFailureReason.MALFORMED, message);
    }

    /** Returns the reason, for counters. */
    public RequestFailureReason reason() {
        return reason;
    }

    /** The reason why a server gave no usable answer. */
    public enum RequestFailureReason {
        /** It did not answer, or not all of its answer, in time. */
        TIMEOUT,
        /** There was no connection, or it broke. */
        UNREACHABLE,
        /** It answered with another status than 200. */
        STATUS,
        /** It refused the request for what that asked. */
        REJECTED,
        /** It answered something else than metrics, such as HTML. */
        CONTENT,
        /** Its answer was larger than it may be. */
        TOO_LARGE,
        /** Its answer is not in the format of its content type, or was cut off. */
        MALFORMED
    }
}

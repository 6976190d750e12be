// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** Explains for people why there was no answer: the JDK's client often gives no message. */
final class ConnectionFailure {

    private ConnectionFailure() {}

    /** Returns a clause that follows a colon. */
    static String reason(IOException failure) {
        if (failure instanceof HttpTimeoutException) {
            return "it takes too long";
        }
        if (failure instanceof SSLException) {
            return "no secure connection (" + failure.getMessage() + ")";
        }
        if (has(failure, UnresolvedAddressException.class) || has(failure, UnknownHostException.class)) {
            return "nobody knows that host. Set --url or REDLINER_URL to where it is";
        }
        if (has(failure, ConnectException.class)) {
            return "nothing listens there. Start it, on this machine with redliner up, or set --url or REDLINER_URL to where it is";
        }
        return failure.getMessage() == null
                ? "the connection was lost"
                : "the connection was lost ("
                        + failure.getMessage() + ")";
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}

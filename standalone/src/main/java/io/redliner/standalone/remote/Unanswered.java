// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.remote;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** Why nothing came back, for people. The JDK's client often says nothing at all. */
final class Unanswered {

    private Unanswered() {}

    static String explain(String url, IOException failure) {
        return "no answer from the controller at " + url + ": " + why(failure);
    }

    private static String why(IOException failure) {
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
            return "nothing listens there. Start it, or set --url or REDLINER_URL to where it is";
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

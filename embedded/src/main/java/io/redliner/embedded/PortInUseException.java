// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

/** A port that was asked for is taken by another process. */
public final class PortInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PortInUseException(String purpose, int port, Throwable cause) {
        super("Port " + port + " for the " + purpose + " is in use: end the process that listens there, or choose"
                + " another port", cause);
    }
}

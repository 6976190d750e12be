// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

/** The controller answered with an error. */
public final class ControllerRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    ControllerRefusedException(String request, int status, String body) {
        super("The controller refused " + request + " with status " + status + ": " + body);
        this.status = status;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

/** The controller answered with an error. */
public final class ControllerRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ControllerRefusedException(String request, int status, String body) {
        super("The controller refused " + request + " with status " + status + ": " + body);
    }
}

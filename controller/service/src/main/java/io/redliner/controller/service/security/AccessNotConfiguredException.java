// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.Serial;

/** The controller must not start with these settings. */
final class AccessNotConfiguredException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final String action;

    AccessNotConfiguredException(String what, String action) {
        super(what + ". " + action);
        this.action = action;
    }

    /** Returns the steps that repair the settings. */
    String action() {
        return action;
    }
}

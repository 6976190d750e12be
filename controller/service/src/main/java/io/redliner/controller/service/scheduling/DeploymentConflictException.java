// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.io.Serial;

/** The id of a deployment was used for another one. */
public final class DeploymentConflictException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String id;

    DeploymentConflictException(String id) {
        super("deployment " + id + " was reported before with another service, version or instances");
        this.id = id;
    }

    /** Returns the id. */
    public String id() {
        return id;
    }
}

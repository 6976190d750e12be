// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.port;

import java.io.Serial;

/** An idempotency key was used before with another body. */
public final class IdempotencyConflictException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String runId;

    public IdempotencyConflictException(String key, String runId) {
        super("idempotency key " + key + " was used with another body, for run " + runId);
        this.runId = runId;
    }

    /** The run that the key was used for. */
    public String runId() {
        return runId;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import java.io.Serial;

/** An idempotency key was used before with another body, or for something else. */
public final class IdempotencyConflictException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String owner;

    private final String id;

    /**
     * A conflict.
     *
     * @param owner what the key was used for: "run" or "series"
     * @param id of the run or the series
     */
    public IdempotencyConflictException(String key, String owner, String id) {
        super("idempotency key " + key + " was used with another body, for " + owner + " " + id);
        this.owner = owner;
        this.id = id;
    }

    /** What the key was used for: "run" or "series". */
    public String owner() {
        return owner;
    }

    /** The run or the series that the key was used for. */
    public String id() {
        return id;
    }
}

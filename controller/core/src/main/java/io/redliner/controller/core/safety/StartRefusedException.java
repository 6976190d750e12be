// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.io.Serial;

/** A run may not begin now; nothing was touched. */
public final class StartRefusedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Why a run may not begin. */
    public enum Cause {
        KILL_SWITCH, FROZEN, TOO_MANY_RUNS, HARM_BUDGET_SPENT
    }

    private final Cause refusedFor;

    StartRefusedException(Cause refusedFor, String message) {
        super(message);
        this.refusedFor = refusedFor;
    }

    /** Why. */
    public Cause refusedFor() {
        return refusedFor;
    }
}

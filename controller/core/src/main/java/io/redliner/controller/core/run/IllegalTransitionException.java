// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.io.Serial;

/** An event reached a run in a phase in which it cannot happen: a mistake in the program. */
public final class IllegalTransitionException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    IllegalTransitionException(RunState state, RunEvent event) {
        super(event.kind() + " cannot happen to run " + state.facts().runId() + " in phase "
                + state.phase().wireName());
    }
}

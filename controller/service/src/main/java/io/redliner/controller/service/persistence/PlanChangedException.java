// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.io.Serial;

/** A plan has changed since the user read it; nothing was changed. */
public final class PlanChangedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /** The plan has another version now. */
    PlanChangedException(StoredPlan current) {
        super("plan " + current.name() + " is not the one that you saw: it has version " + current.version()
                + " now. GET it again, put your change into that, and send it with its ETag as If-Match");
    }

    /** The plan does not exist. */
    PlanChangedException(String missing) {
        super("there is no plan " + missing + " that could be the one that you saw; it may have been deleted");
    }
}

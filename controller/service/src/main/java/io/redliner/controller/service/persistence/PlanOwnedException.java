// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.io.Serial;

/** A plan belongs to another source than the one that wants to change it; nothing was changed. */
public final class PlanOwnedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final String plan;

    PlanOwnedException(String plan, StoredPlan.Source owner) {
        super("plan " + plan + " comes from the " + owner.place() + " and can only be changed there");
        this.plan = plan;
    }

    /** Returns the name of the plan. */
    public String plan() {
        return plan;
    }
}

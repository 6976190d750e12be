// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.io.Serial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run cannot be started as things are; nothing was touched. */
public final class RunRejectedException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final RejectionReason refusal;

    @Nullable
    private final String field;

    private final transient List<String> known;

    /**
     * A refusal.
     *
     * @param field JSON path of the plan's field at fault, if one is
     * @param known what would have been understood there
     */
    public RunRejectedException(RejectionReason refusal, String message, @Nullable String field, List<String> known) {
        super(message);
        this.refusal = refusal;
        this.field = field;
        this.known = List.copyOf(known);
    }

    /** Why. */
    public RejectionReason refusal() {
        return refusal;
    }

    /** JSON path of the plan's field at fault, if one is. */
    @Nullable
    public String field() {
        return field;
    }

    /** What would have been understood there; empty when that does not apply. */
    public List<String> known() {
        return known;
    }
}

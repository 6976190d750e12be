// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run cannot be started as things are; nothing was touched. */
public final class RunRejectedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final RejectionReason reason;

    private final transient Map<String, Object> details;

    private RunRejectedException(RejectionReason reason, String message, Map<String, Object> details) {
        super(message);
        this.reason = reason;
        this.details = details;
    }

    public RunRejectedException(RejectionReason reason, String message) {
        this(reason, message, Map.of());
    }

    /**
     * Creates a rejection because of a value in the plan.
     *
     * @param field JSON path of the plan's field at fault; absent when it is none
     * @param known the values that are accepted there; may be empty
     */
    public RunRejectedException(RejectionReason reason, String message, @Nullable String field, List<String> known) {
        this(reason, message, details(field, known));
    }

    /**
     * A service has a live run already.
     *
     * @param requested the service or the conflict group
     */
    public static RunRejectedException busy(String requested, String runId) {
        return new RunRejectedException(RejectionReason.SERVICE_BUSY, requested + " is being tested by run " + runId,
                Map.of("runId", runId));
    }

    /**
     * An idempotency key was used before with another body, or for something else.
     *
     * @param owner what the key was used for: "run" or "series"
     * @param id of the run or the series
     */
    public static RunRejectedException keyUsed(String key, String owner, String id) {
        return new RunRejectedException(RejectionReason.IDEMPOTENCY_CONFLICT, "idempotency key " + key
                + " was used with another body, for " + owner + " " + id, Map.of(owner + "Id", id));
    }

    private static Map<String, Object> details(@Nullable String field, List<String> known) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (field != null) {
            details.put("field", field);
        }
        if (!known.isEmpty()) {
            details.put("known", List.copyOf(known));
        }
        return details;
    }

    public RejectionReason reason() {
        return reason;
    }

    /** Further properties of the HTTP problem for programs: "field", "known", "runId", "seriesId". */
    public Map<String, Object> details() {
        return details;
    }
}

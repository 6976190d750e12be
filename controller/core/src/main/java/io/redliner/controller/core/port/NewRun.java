// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.safety.StartPermit;
import io.redliner.controller.core.safety.StartRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run to be registered.
 *
 * @param plan canonical JSON
 * @param start the request that the start policy checks
 * @param conflictGroup of the plan; absent: none
 * @param seenEpoch the highest epoch seen at redirectors; the run's is higher
 * @param facts the run's facts
 * @param idempotencyKey of the request; absent when it had none
 * @param bodyHash SHA-256 of the request's body
 */
public record NewRun(String id, String planName, String planHash, String plan, StartRequest start,
        @Nullable String conflictGroup, long seenEpoch, Facts facts, @Nullable String idempotencyKey,
        String bodyHash) {

    /** Makes the facts of a run that may begin. */
    public interface Facts {

        /** The facts, given the run's epoch and its permit. */
        RunFacts of(long epoch, StartPermit permit);
    }

    /** The service that it is on. */
    public String service() {
        return start.service();
    }

    /** When it was submitted. */
    public Instant submittedAt() {
        return start.at();
    }
}

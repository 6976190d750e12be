// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.plan.DurationText;
import org.jspecify.annotations.Nullable;

/** The restored traffic: whether it is natural, how that is known, and how long it took; see {@link RestoreProof}. */
public record RestoreView(RestoreProof.Traffic traffic, RestoreProof.Proof proof, double seconds, String detail) {

    /** Returns the restored traffic of a run; absent while it is live. */
    public static @Nullable RestoreView of(RunState state) {
        if (!(state instanceof RunState.Finished finished)) {
            return null;
        }
        RestoreProof proof = finished.restored();
        return new RestoreView(proof.traffic(), proof.proof(), proof.took().toMillis() / 1000.0,
                proof.detail());
    }

    /** Returns true when traffic is known to be natural. */
    public boolean proven() {
        return traffic == RestoreProof.Traffic.NATURAL;
    }

    /** Returns the restore in words; it may not be proven. */
    public String describe() {
        return (proven() ? "after " : "NOT PROVEN, after ") + DurationText.spell(seconds) + ": " + detail;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes what cannot be understood, so that somebody can look at it. */
interface DeadLetterHandler {

    /** Why a record is parked. */
    enum Reason {
        /** The key is missing, so nobody knows which service is meant. */
        NO_KEY,
        /** An observation without a value. */
        NO_VALUE,
        /** Not a run, or one that cannot be judged. */
        MALFORMED_RUN,
        /** Not an observation of the service. */
        MALFORMED_OBSERVATION,
        /** What was stored of a service is not to be understood; its run is given up. */
        UNREADABLE_STATE,
        /** The analysis failed on it, which is an error of the analyzer; the service's run is given up. */
        FAILED;

        /** As in headers and labels. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Parks the record that is being read, or something stored.
     *
     * @param words what is wrong with it, for people
     */
    void park(@Nullable String key, byte @Nullable [] value, Reason reason, String words);
}

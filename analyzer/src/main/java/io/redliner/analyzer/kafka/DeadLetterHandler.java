// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parks records that cannot be used, so that a person can examine them. */
interface DeadLetterHandler {

    /** The reason why a record is parked. */
    enum Reason {
        /** The key is missing, so the service is unknown. */
        NO_KEY,
        /** An observation without a value. */
        NO_VALUE,
        /** A value that is not a run, or a run that cannot be judged. */
        MALFORMED_RUN,
        /** A value that is not an observation of the service. */
        MALFORMED_OBSERVATION,
        /** The stored state of a service cannot be read; its run is given up. */
        UNREADABLE_STATE,
        /** An exception in the analysis, which is an error of the analyzer; the service's run is given up. */
        FAILED;

        /** Returns the value for headers and metric labels. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Parks the record that is being read, or a stored value.
     *
     * @param message explanation for people
     */
    void park(@Nullable String key, byte @Nullable [] value, Reason reason, String message);
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The analyzer's findings and checks at the end of its search.
 *
 * @param bottleneck the resources that may have limited the service, most likely first
 * @param validity every check of the run
 * @param exceedances counted and fitted over the load; absent when none were reported
 */
public record SearchConclusion(List<Finding> bottleneck, List<ValidityCheck> validity,
        @Nullable ExceedanceCurve exceedances) {

    public SearchConclusion {
        bottleneck = List.copyOf(bottleneck);
        validity = List.copyOf(validity);
    }

    /** A conclusion without a curve. */
    public SearchConclusion(List<Finding> bottleneck, List<ValidityCheck> validity) {
        this(bottleneck, validity, null);
    }

    /**
     * A resource that may have ended the run.
     *
     * @param resource in capitals, e.g. {@code CPU} or {@code NETWORK_BANDWIDTH}
     * @param strength 0 to 1: how clearly the measurements say that it was full; for the order, no probability
     * @param words for people: the measurements for it and against it
     */
    public record Finding(String resource, double strength, String words, List<Figure> figures) {

        public Finding {
            figures = List.copyOf(figures);
        }
    }

    /** A number behind a finding. */
    public record Figure(String name, double value, String unit) {}

    /**
     * One check of the run.
     *
     * @param value that was checked; absent when unknown or no number
     * @param limit the value at which the result becomes doubtful
     * @param words one sentence for people
     */
    public record ValidityCheck(String name, Validity verdict, @Nullable Double value, @Nullable Double limit,
            String unit, String words) {}

    /** The result of a check. */
    public enum Validity {
        OK, DOUBTFUL,
        /** The result is not to be used. */
        INVALID,
        /** The check's data was not measured; never to be read as {@link #OK}. */
        UNKNOWN
    }

    /** Returns the first check that makes the result invalid. */
    Optional<ValidityCheck> objection() {
        return validity.stream().filter(check -> check.verdict() == Validity.INVALID).findFirst();
    }
}

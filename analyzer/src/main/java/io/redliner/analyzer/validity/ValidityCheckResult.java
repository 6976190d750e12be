// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.sla.MetricUnit;
import java.util.OptionalDouble;

/**
 * The result of one check of a run.
 *
 * @param name in kebab case; the same in every run
 * @param value the value that was checked; empty when it is unknown or not a number
 * @param limit the value beyond which the check is not {@link CheckStatus#OK}; empty when there is none
 * @param unit of both
 * @param message one sentence for people
 */
public record ValidityCheckResult(String name, CheckStatus verdict, OptionalDouble value, OptionalDouble limit,
        MetricUnit unit,
        String message) {

    static ValidityCheckResult unknown(String name, String message) {
        return new ValidityCheckResult(name, CheckStatus.UNKNOWN, OptionalDouble.empty(), OptionalDouble.empty(),
                MetricUnit.UNKNOWN,
                message);
    }

    /** Checks a value against two limits: above the first the run is doubtful, above the second invalid. */
    static ValidityCheckResult atMost(String name, double value, double doubtful, double invalid, MetricUnit unit,
            String message) {
        if (!Double.isFinite(value)) {
            return unknown(name, message);
        }
        var verdict = value > invalid ? CheckStatus.INVALID : value > doubtful ? CheckStatus.DOUBTFUL : CheckStatus.OK;
        return new ValidityCheckResult(name, verdict, OptionalDouble.of(value), OptionalDouble.of(doubtful), unit,
                message);
    }

    /** Returns the worse of two results of the same check; an unknown result gives way to any other. */
    ValidityCheckResult worse(ValidityCheckResult other) {
        return rank(other.verdict) > rank(verdict) ? other : this;
    }

    private static int rank(CheckStatus status) {
        return switch (status) {
            case UNKNOWN -> 0;
            case OK -> 1;
            case DOUBTFUL -> 2;
            case INVALID -> 3;
        };
    }
}

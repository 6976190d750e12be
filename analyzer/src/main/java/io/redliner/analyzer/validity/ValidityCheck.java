// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.sla.Unit;
import java.util.OptionalDouble;

/**
 * One check of a run.
 *
 * @param name in kebab case; the same in every run
 * @param value that was checked; empty when it is unknown or no number
 * @param limit beyond which the check is not {@link Verdict#OK}; empty when there is none
 * @param unit of both
 * @param words one sentence for people
 */
public record ValidityCheck(String name, Verdict verdict, OptionalDouble value, OptionalDouble limit, Unit unit,
        String words) {

    static ValidityCheck unknown(String name, String words) {
        return new ValidityCheck(name, Verdict.UNKNOWN, OptionalDouble.empty(), OptionalDouble.empty(), Unit.UNKNOWN,
                words);
    }

    /** A value that must not pass a limit, and makes a run invalid beyond another. */
    static ValidityCheck atMost(String name, double value, double doubtful, double invalid, Unit unit, String words) {
        if (!Double.isFinite(value)) {
            return unknown(name, words);
        }
        var verdict = value > invalid ? Verdict.INVALID : value > doubtful ? Verdict.DOUBTFUL : Verdict.OK;
        return new ValidityCheck(name, verdict, OptionalDouble.of(value), OptionalDouble.of(doubtful), unit, words);
    }

    /** The worse of two checks of the same thing; what is known counts. */
    ValidityCheck worse(ValidityCheck other) {
        return rank(other.verdict) > rank(verdict) ? other : this;
    }

    private static int rank(Verdict verdict) {
        return switch (verdict) {
            case UNKNOWN -> 0;
            case OK -> 1;
            case DOUBTFUL -> 2;
            case INVALID -> 3;
        };
    }
}

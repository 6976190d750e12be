// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A number read from measurements, or the reason why there is none. */
sealed interface OperandValue {

    record Value(double number) implements OperandValue {}

    record Missing(String reason) implements OperandValue {}

    /** Separator between reasons. */
    String AND = "; and ";

    /** Joins the reasons of the missing values. At least one of the values is missing. */
    static Missing missing(OperandValue... both) {
        return new Missing(Stream.of(both).filter(Missing.class::isInstance).map(one -> ((Missing) one).reason())
                .distinct().collect(Collectors.joining(AND)));
    }

    static OperandValue of(double number, String name) {
        return Double.isFinite(number) ? new Value(number) : new Missing(name + " is " + number);
    }
}

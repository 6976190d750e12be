// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** A number read from measurements, or why there is none. */
sealed interface OperandValue {

    record Value(double number) implements OperandValue {}

    record Missing(String reason) implements OperandValue {}

    static OperandValue of(double number, String name) {
        return Double.isFinite(number) ? new Value(number) : new Missing(name + " is " + number);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** A number read from measurements, or why there is none. */
sealed interface Reading {

    record Value(double number) implements Reading {}

    record Missing(String reason) implements Reading {}

    static Reading of(double number, String name) {
        return Double.isFinite(number) ? new Value(number) : new Missing(name + " is " + number);
    }
}

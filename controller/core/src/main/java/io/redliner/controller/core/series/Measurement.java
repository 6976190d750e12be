// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

/**
 * The value that one run of a series measured.
 *
 * @param value requests/s of a capacity, seconds of a latency; above 0
 * @param error its standard error, above 0
 */
public record Measurement(double value, double error) {

    /** Standard errors in half of a 95 % interval. */
    static final double Z = 1.959963984540054;

    public Measurement {
        if (!(value > 0) || !(error > 0) || !Double.isFinite(value + error)) {
            throw new IllegalArgumentException("no measurement: " + value + " with an error of " + error);
        }
    }

    /** Creates a measurement from a value and its 95 % interval. */
    static Measurement ofInterval(double value, double low, double high) {
        return new Measurement(value, Math.max((high - low) / (2 * Z), 1e-6 * value));
    }

    double relativeError() {
        return error / value;
    }
}

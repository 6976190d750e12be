// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.sla.MetricUnit;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * A measured number that is the evidence of a finding.
 *
 * @param name such as {@code cpu} or {@code usl.sigma}
 * @param value in {@code unit}, finite
 */
public record NamedValue(String name, double value, MetricUnit unit) {

    public NamedValue {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("figure " + name + " is " + value);
        }
    }

    /** Formats a value for people, with three digits and the unit. */
    public static String format(double value, MetricUnit unit) {
        if (!Double.isFinite(value)) {
            return "unknown";
        }
        return switch (unit) {
            case SECONDS -> threeDigits(value * 1e3) + " ms";
            case RATIO -> threeDigits(value * 100) + " %";
            case REQUESTS_PER_SECOND -> threeDigits(value) + " requests/s";
            case BYTES_PER_SECOND -> threeDigits(value / 1e6) + " MB/s";
            case COUNT, UNKNOWN -> threeDigits(value);
        };
    }

    private static String threeDigits(double value) {
        double magnitude = Math.abs(value);
        return magnitude >= 1_000
                ? String.valueOf(Math.round(value))
                : magnitude < 1e-6
                        ? "0"
                        : new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
    }
}

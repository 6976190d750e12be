// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.math.BigDecimal;
import java.util.Locale;

/**
 * How much load a profile wants.
 *
 * @param value requests/s, or a ratio, or a factor, as the kind says; above 0
 */
public record LoadTarget(Kind kind, BigDecimal value) {

    private static final BigDecimal MAX_OF_CAPACITY = BigDecimal.TEN;

    /** What the value is of. */
    public enum Kind {

        /** Requests/s. */
        TARGET,
        /** Of the service's traffic, a ratio. */
        SHARE,
        /** Of the last capacity that was found for the instance, the lower end of its interval; up to ten times that. */
        CAPACITY,
        /** Times the natural load. */
        FACTOR;

        /** The field of a plan. */
        public String field() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws IllegalArgumentException at or below 0 */
    public LoadTarget {
        if (value.signum() <= 0) {
            throw new IllegalArgumentException("is not above 0");
        }
        value = value.stripTrailingZeros();
    }

    /**
     * Reads {@code 200} requests/s, {@code 20%} of the traffic, {@code 80%} of the capacity, or {@code 2x}.
     *
     * @throws IllegalArgumentException when the text is none; the message says how to write one
     */
    public static LoadTarget parse(Kind kind, String text) {
        return switch (kind) {
            case TARGET -> new LoadTarget(kind,
                    NumberText.parse(text, "is no rate; write requests/s as 200 or 12.5"));
            case SHARE -> new LoadTarget(kind, BigDecimal.valueOf(Ppm.parse(text).value(), 6));
            case CAPACITY -> ofCapacity(text.strip());
            case FACTOR -> new LoadTarget(kind, Factor.parse(text).value());
        };
    }

    private static LoadTarget ofCapacity(String text) {
        String complaint = "is no part of the capacity; write it as 80% or 120%";
        if (!text.endsWith("%")) {
            throw new IllegalArgumentException(complaint);
        }
        BigDecimal part = NumberText.parse(text.substring(0, text.length() - 1), complaint).movePointLeft(2);
        if (part.compareTo(MAX_OF_CAPACITY) > 0) {
            throw new IllegalArgumentException("is more than 1000%");
        }
        return new LoadTarget(Kind.CAPACITY, part);
    }

    /** For arithmetic. */
    public double asDouble() {
        return value.doubleValue();
    }

    /** As plans write it. */
    @Override
    public String toString() {
        return switch (kind) {
            case TARGET -> value.toPlainString();
            case SHARE, CAPACITY -> value.movePointRight(2).stripTrailingZeros().toPlainString() + "%";
            case FACTOR -> value.toPlainString() + "x";
        };
    }
}

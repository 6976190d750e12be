// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import io.redliner.contract.redirect.Share;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * The load that a profile wants.
 *
 * @param value requests/s, or a ratio, or a factor, depending on the kind; above 0
 */
public record LoadTarget(Kind kind, BigDecimal value) {

    private static final BigDecimal MAX_OF_CAPACITY = BigDecimal.TEN;

    /** The quantity that the value is a number of, or a part of. */
    public enum Kind {

        /** Requests/s. */
        TARGET,
        /** A ratio of the service's traffic. */
        SHARE,
        /** A ratio of the lower end of the interval of the instance's last known capacity, at most 10. */
        CAPACITY,
        /** A multiple of the instance's natural load. */
        FACTOR;

        /** Returns the field of a plan. */
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
     * @throws IllegalArgumentException when the text is no load; the message says how to write one
     */
    public static LoadTarget parse(Kind kind, String text) {
        return switch (kind) {
            case TARGET -> new LoadTarget(kind,
                    NumberText.parse(text, "is no rate; write requests/s as 200 or 12.5"));
            case SHARE -> new LoadTarget(kind, BigDecimal.valueOf(Share.parse(text).ppm(), 6));
            case CAPACITY -> ofCapacity(text.strip());
            case FACTOR -> new LoadTarget(kind, Factor.parse(text).value());
        };
    }

    private static LoadTarget ofCapacity(String text) {
        String message = "is no part of the capacity; write it as 80% or 120%";
        if (!text.endsWith("%")) {
            throw new IllegalArgumentException(message);
        }
        BigDecimal part = NumberText.parse(text.substring(0, text.length() - 1), message).movePointLeft(2);
        if (part.compareTo(MAX_OF_CAPACITY) > 0) {
            throw new IllegalArgumentException("is more than 1000%");
        }
        return new LoadTarget(Kind.CAPACITY, part);
    }

    /** Returns the value as a double, for arithmetic. */
    public double asDouble() {
        return value.doubleValue();
    }

    /** Returns the text of a plan. */
    @Override
    public String toString() {
        return switch (kind) {
            case TARGET -> value.toPlainString();
            case SHARE, CAPACITY -> value.movePointRight(2).stripTrailingZeros().toPlainString() + "%";
            case FACTOR -> value.toPlainString() + "x";
        };
    }
}

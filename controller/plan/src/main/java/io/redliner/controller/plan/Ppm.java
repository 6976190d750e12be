// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A share of a service's traffic in parts per million, 0 to 1 000 000. */
public record Ppm(int value) implements Comparable<Ppm> {

    /** Everything. */
    public static final int WHOLE = 1_000_000;

    /** No traffic at all. */
    public static final Ppm NONE = new Ppm(0);

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,9})?) ?(%|ppm)");

    /** @throws IllegalArgumentException outside 0 to 1 000 000 */
    public Ppm {
        if (value < 0 || value > WHOLE) {
            throw new IllegalArgumentException("a share is between 0% and 100%, not " + value + " ppm");
        }
    }

    /**
     * Reads {@code 60%}, {@code 0.5%} or {@code 600000ppm}.
     *
     * @throws IllegalArgumentException when the text is no share; the message says how to write one
     */
    public static Ppm parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("is no share; write it as 60%, 0.5% or 600000ppm");
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        BigDecimal ppm = "%".equals(matcher.group(2)) ? number.movePointRight(4) : number;
        if (ppm.stripTrailingZeros().scale() > 0) {
            throw new IllegalArgumentException("is finer than one part per million");
        }
        if (ppm.compareTo(BigDecimal.valueOf(WHOLE)) > 0) {
            throw new IllegalArgumentException("is more than 100%");
        }
        return new Ppm(ppm.intValueExact());
    }

    /** The nearest share to a ratio, clipped to 0 and 1; not a number becomes 0. */
    public static Ppm ofRatio(double ratio) {
        return new Ppm((int) Math.round(Math.clamp(Double.isNaN(ratio) ? 0 : ratio, 0.0, 1.0) * WHOLE));
    }

    /** The share as a ratio, 0 to 1. */
    public double ratio() {
        return value / (double) WHOLE;
    }

    /** The smaller of the two. */
    public Ppm min(Ppm other) {
        return value <= other.value ? this : other;
    }

    /** Returns true when this share is larger. */
    public boolean above(Ppm other) {
        return value > other.value;
    }

    /** The share rounded to three significant digits: a measured share is no more precise. */
    public Ppm rounded() {
        return new Ppm(BigDecimal.valueOf(value).round(new MathContext(3)).intValueExact());
    }

    @Override
    public int compareTo(Ppm other) {
        return Integer.compare(value, other.value);
    }

    /** The share in percent: {@code 25%}. */
    @Override
    public String toString() {
        return BigDecimal.valueOf(value, 4).stripTrailingZeros().toPlainString() + "%";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A share of a service's traffic.
 *
 * @param ppm parts per million, 0 to 1 000 000
 */
public record Share(int ppm) implements Comparable<Share> {

    /** The whole of the traffic, in parts per million. */
    public static final int WHOLE_PPM = 1_000_000;

    /** No traffic at all. */
    public static final Share NONE = new Share(0);

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,9})?) ?(%|ppm)");

    /** @throws IllegalArgumentException outside 0 to 1 000 000 */
    public Share {
        if (ppm < 0 || ppm > WHOLE_PPM) {
            throw new IllegalArgumentException("a share is between 0% and 100%, not " + ppm + " ppm");
        }
    }

    /**
     * Reads {@code 60%}, {@code 0.5%} or {@code 600000ppm}.
     *
     * @throws IllegalArgumentException when the text is no share; the message says how to write one
     */
    public static Share parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("is no share; write it as 60%, 0.5% or 600000ppm");
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        BigDecimal parts = "%".equals(matcher.group(2)) ? number.movePointRight(4) : number;
        if (parts.stripTrailingZeros().scale() > 0) {
            throw new IllegalArgumentException("is finer than one part per million");
        }
        if (parts.compareTo(BigDecimal.valueOf(WHOLE_PPM)) > 0) {
            throw new IllegalArgumentException("is more than 100%");
        }
        return new Share(parts.intValueExact());
    }

    /** Returns the nearest share to a ratio, clipped to 0 and 1; not a number becomes 0. */
    public static Share ofRatio(double ratio) {
        return new Share((int) Math.round(Math.clamp(Double.isNaN(ratio) ? 0 : ratio, 0.0, 1.0) * WHOLE_PPM));
    }

    /** Returns the share as a ratio, 0 to 1. */
    public double ratio() {
        return ppm / (double) WHOLE_PPM;
    }

    /** Returns the smaller of the two. */
    public Share min(Share other) {
        return ppm <= other.ppm ? this : other;
    }

    /** Returns the share of all other instances. */
    public Share rest() {
        return new Share(WHOLE_PPM - ppm);
    }

    /** Returns true when this share is larger. */
    public boolean above(Share other) {
        return ppm > other.ppm;
    }

    /** Returns the share rounded to three significant digits: a measured share is no more precise. */
    public Share rounded() {
        return new Share(BigDecimal.valueOf(ppm).round(new MathContext(3)).intValueExact());
    }

    @Override
    public int compareTo(Share other) {
        return Integer.compare(ppm, other.ppm);
    }

    /** Returns the share in percent: {@code 25%}. */
    @Override
    public String toString() {
        return BigDecimal.valueOf(ppm, 4).stripTrailingZeros().toPlainString() + "%";
    }
}

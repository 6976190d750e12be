// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.duration;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Compares durations, and reads them as people write them, in plans, rules and services files alike: numbers with units, the larger unit first, such as
 * {@code 250ms}, {@code 0.5s}, {@code 500us}, {@code 1m30s} or {@code 2h}.
 */
public final class Durations {

    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,9})?)";

    private static final Pattern WRITTEN = Pattern.compile("(?:" + NUMBER + "h)?(?:" + NUMBER + "m(?!s))?(?:" + NUMBER
            + "s)?(?:" + NUMBER + "ms)?(?:" + NUMBER + "us)?");

    private static final long[] NANOS = {3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L};

    private static final int SECOND = 2;

    private static final BigDecimal NANOS_IN_MICRO = BigDecimal.valueOf(1_000);

    private static final String HOW = "write it with units, as 250ms, 0.5s, 500us or 1m30s";

    private Durations() {}

    /** Returns the longer of two durations. */
    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Returns the shorter of two durations. */
    public static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /**
     * Reads a duration, in whole microseconds.
     *
     * @return 0 or more
     * @throws IllegalArgumentException when the text is not a duration; the message follows the text and says how to write one
     */
    public static Duration parse(String text) {
        var matcher = WRITTEN.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException(text.endsWith("ns")
                    ? "is finer than a microsecond, which nothing here is: " + HOW
                    : "is no duration: " + HOW);
        }
        BigDecimal nanos = BigDecimal.ZERO;
        for (int unit = 0; unit < NANOS.length; unit++) {
            String number = matcher.group(unit + 1);
            if (number != null) {
                nanos = nanos.add(new BigDecimal(number).multiply(BigDecimal.valueOf(NANOS[unit])));
            }
        }
        if (nanos.remainder(NANOS_IN_MICRO).signum() != 0) {
            throw new IllegalArgumentException("is finer than a microsecond, which nothing here is: " + HOW);
        }
        BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(NANOS[SECOND]));
        return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
    }
}

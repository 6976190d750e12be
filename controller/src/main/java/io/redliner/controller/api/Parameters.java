// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.plan.Years;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of requests; what cannot be understood is a problem that names the parameter. */
public final class Parameters {

    private static final Pattern PART = Pattern.compile("[+ ]?(\\d{1,6}(?:\\.\\d{1,9})?) ?(%)?");

    private static final Pattern RATE = Pattern.compile("\\d{1,15}(?:\\.\\d{1,9})?");

    private Parameters() {}

    /** A number of a range, both ends included. */
    public static int between(String field, int least, int value, int most) {
        if (value < least || value > most) {
            throw refuse(field, field + " is between " + least + " and " + most);
        }
        return value;
    }

    /** An instant of the years 1970 to 9999; absent when none is given. */
    public static @Nullable Instant instant(String field, @Nullable String text) {
        try {
            Instant instant = text == null ? null : Instant.parse(text);
            if (instant != null && !Years.include(instant)) {
                throw refuse(field, field + " is " + Years.WORDS);
            }
            return instant;
        } catch (DateTimeException malformed) {
            throw refuse(field, field + " is an instant as 2026-01-31T09:00:00Z");
        }
    }

    /** A part or a multiple of something: {@code 0.5}, {@code 50%} or {@code +50%}. */
    public static BigDecimal part(String field, String text) {
        Matcher matcher = PART.matcher(text);
        if (!matcher.matches()) {
            throw refuse(field, field + " is written as 0.5 or 50%");
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        return matcher.group(2) == null ? number : number.movePointLeft(2);
    }

    /** A rate above 0 in requests/s. */
    public static double rate(String field, String text) {
        double rate = RATE.matcher(text).matches() ? Double.parseDouble(text) : 0;
        if (!(rate > 0)) {
            throw refuse(field, field + " is a rate in requests/s above 0");
        }
        return rate;
    }

    /** What is wrong with a parameter. */
    public static ProblemException refuse(String field, String message) {
        return new ProblemException(ProblemType.INVALID_PARAMETER, message).with("field", field);
    }
}

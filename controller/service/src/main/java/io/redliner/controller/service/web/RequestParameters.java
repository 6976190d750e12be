// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of requests; what cannot be understood is a problem that names the parameter. */
public final class RequestParameters {

    private static final BigDecimal MAX_PARTS = BigDecimal.valueOf(1_000_000);

    /** The largest page of most lists. */
    static final int MAX_ITEMS = 200;

    /** An offset whose plus sign the query made a space of. */
    private static final Pattern BLANK_FOR_PLUS = Pattern.compile(".*T.* \\d{1,2}(:?\\d{2})*");

    private RequestParameters() {}

    /** Returns the requested number of items of a list, 1 to 200. */
    static int limit(int limit) {
        return between("limit", 1, limit, MAX_ITEMS);
    }

    /** A number of a range, both ends included. */
    public static int between(String field, int min, int value, int max) {
        if (value < min || value > max) {
            throw refuse(field, field + " is between " + min + " and " + max);
        }
        return value;
    }

    /** Returns an instant of the years 1970 to 9999; absent when none is given. */
    public static @Nullable Instant instant(String field, @Nullable String text) {
        try {
            Instant instant = text == null ? null : Instant.parse(text);
            if (instant != null && !TimestampRange.include(instant)) {
                throw refuse(field, field + " is " + TimestampRange.DESCRIPTION);
            }
            return instant;
        } catch (DateTimeException malformed) {
            throw refuse(field, BLANK_FOR_PLUS.matcher(String.valueOf(text)).matches()
                    ? field + " has a blank where a + was: write the + as %2B, as 2026-01-31T09:00:00%2B01:00"
                    : field + " is an instant as 2026-01-31T09:00:00Z");
        }
    }

    /** Returns a part or a multiple of something: {@code 0.5}, {@code 50%} or {@code +50%}. */
    public static BigDecimal part(String field, String text) {
        // A plus sign in a query is a space.
        String stripped = text.strip();
        String plain = stripped.startsWith("+") ? stripped.substring(1) : stripped;
        boolean percent = plain.endsWith("%");
        BigDecimal number = number(field, percent ? plain.substring(0, plain.length() - 1) : plain,
                "is written as 0.5 or 50%");
        if (number.signum() < 0 || number.compareTo(MAX_PARTS) >= 0) {
            throw refuse(field, field + " is at least 0 and below 1000000");
        }
        return percent ? number.movePointLeft(2) : number;
    }

    /** Returns a rate above 0 in requests/s. */
    public static double rate(String field, String text) {
        double rate = number(field, text, "is a rate in requests/s above 0").doubleValue();
        if (!(rate > 0)) {
            throw refuse(field, field + " is a rate in requests/s above 0");
        }
        return rate;
    }

    private static BigDecimal number(String field, String text, String message) {
        try {
            return NumberText.parse(text, message);
        } catch (IllegalArgumentException none) {
            ProblemException refused = refuse(field, field + " " + none.getMessage());
            refused.initCause(none);
            throw refused;
        }
    }

    /** Returns a problem that names the parameter. */
    public static ProblemException refuse(String field, String message) {
        return new ProblemException(ProblemType.INVALID_PARAMETER, message).with("field", field);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** The text inside {@code duration('...')}, as CEL defines it: {@code 200ms}, {@code 1m30s}, {@code 1.5h}. */
final class DurationLiteral {

    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s|us|ns)");

    private static final Pattern WHOLE = Pattern.compile("(" + PART.pattern() + ")+");

    private DurationLiteral() {}

    /** Empty when the text is no duration. Negative ones are none: no limit is. */
    static OptionalDouble seconds(String text) {
        if (!WHOLE.matcher(text).matches()) {
            return OptionalDouble.empty();
        }
        double seconds = PART.matcher(text).results()
                .mapToDouble(part -> Double.parseDouble(part.group(1)) * secondsIn(part.group(2))).sum();
        return OptionalDouble.of(seconds);
    }

    private static double secondsIn(String unit) {
        return switch (unit) {
            case "h" -> 3600;
            case "m" -> 60;
            case "s" -> 1;
            case "ms" -> 1e-3;
            case "us" -> 1e-6;
            default -> 1e-9;
        };
    }
}

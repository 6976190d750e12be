// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The times at which a plan is due by the clock. */
public sealed interface Timing {

    /** Returns the timing in one text, for the store and for messages: {@code cron 0 9 * * TUE} or {@code every 6h}. */
    String text();

    /**
     * A cron expression with five fields: minute, hour, day of the month, month, day of the week. When both kinds of days are
     * restricted, either is enough, as in Unix.
     *
     * @param expression with single spaces
     */
    record Cron(String expression) implements Timing {

        private static final int DAY_OF_WEEK = 4;

        private static final List<String> MONTHS = List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG",
                "SEP",
                "OCT", "NOV", "DEC");

        private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

        /** The fields before the day of the week, each with its smallest and its largest value. */
        private static final List<Field> FIELDS = List.of(new Field("minutes", "0", "59", List.of(), 0),
                new Field("hours", "0", "23", List.of(), 0), new Field("days of the month", "1", "31", List.of(), 1),
                new Field("months", "JAN", "DEC", MONTHS, 1));

        private static final Pattern RANGE = Pattern
                .compile("([A-Za-z]{3}|\\d{1,2})-([A-Za-z]{3}|\\d{1,2})(?:/(\\d{1,2}))?");

        private record Field(String name, String first, String last, List<String> names, int firstNumber) {

            private void requireForwards(String values) {
                for (String part : values.split(",", -1)) {
                    Matcher range = RANGE.matcher(part);
                    int to = range.matches() ? number(range.group(2), names, firstNumber) : -1;
                    if (to >= 0 && number(range.group(1), names, firstNumber) > to) {
                        String step = range.group(3) == null ? "" : ", each with the values that you mean";
                        throw new IllegalArgumentException("the range " + part + " of " + name
                                + " runs backwards; write it as two, " + range.group(1) + "-" + last + "," + first
                                + "-" + range.group(2) + step);
                    }
                }
            }
        }

        /** @throws IllegalArgumentException when it is not a valid expression */
        public Cron {
            expression = String.join(" ", expression.strip().split("\\s+", -1));
            if (expression.split(" ", -1).length != 5) {
                throw new IllegalArgumentException("is no cron expression; it has five fields:"
                        + " minute, hour, day of the month, month, day of the week, as in 0 9 * * TUE");
            }
            try {
                parsed(expression).validate();
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException("is no cron expression: " + reason(invalid), invalid);
            }
        }

        /** Returns the parsed expression. */
        public com.cronutils.model.Cron parsed() {
            return parsed(expression);
        }

        private static com.cronutils.model.Cron parsed(String expression) {
            String[] fields = expression.split(" ", -1);
            for (int field = 0; field < FIELDS.size(); field++) {
                FIELDS.get(field).requireForwards(fields[field]);
            }
            fields[DAY_OF_WEEK] = Stream.of(fields[DAY_OF_WEEK].split(",", -1)).map(Cron::days)
                    .collect(Collectors.joining(","));
            return new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX))
                    .parse(String.join(" ", fields));
        }

        /**
         * Writes out each day of a range. Sunday is 0 at the beginning of a range and 7 at its end, and a range may go on
         * over the end of the week.
         */
        private static String days(String part) {
            Matcher range = RANGE.matcher(part);
            if (!range.matches()) {
                return part;
            }
            if (range.group(1).equalsIgnoreCase(range.group(2))) {
                return range.group(1);
            }
            int from = number(range.group(1), DAYS, 0) % DAYS.size();
            int to = number(range.group(2), DAYS, 0);
            int last = to == 0 ? DAYS.size() : to;
            int step = range.group(3) == null ? 1 : Integer.parseInt(range.group(3));
            if (from < 0 || last < 0 || last > DAYS.size() || step == 0) {
                return part;
            }
            int end = from <= last ? last : last + DAYS.size();
            return IntStream.rangeClosed(0, (end - from) / step)
                    .mapToObj(times -> Integer.toString((from + times * step) % DAYS.size())).distinct()
                    .collect(Collectors.joining(","));
        }

        /** Returns the number of a name or of digits; -1 for any other text, which the cron parser then rejects. */
        private static int number(String text, List<String> names, int first) {
            int name = names.indexOf(text.toUpperCase(Locale.ROOT));
            return name >= 0 ? name + first : text.chars().allMatch(Character::isDigit) ? Integer.parseInt(text) : -1;
        }

        private static String reason(IllegalArgumentException invalid) {
            Throwable cause = invalid;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return String.valueOf(cause.getMessage());
        }

        @Override
        public String text() {
            return "cron " + expression;
        }
    }

    /**
     * A fixed interval, counted from the time at which the plan got it.
     *
     * @param interval 1 minute to 366 days, in whole seconds
     */
    record Every(Duration interval) implements Timing {

        private static final Duration MIN_INTERVAL = Duration.ofMinutes(1);

        private static final Duration MAX_INTERVAL = Duration.ofDays(366);

        /** @throws IllegalArgumentException when it is out of range */
        public Every {
            if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0
                    || !interval.equals(interval.truncatedTo(ChronoUnit.SECONDS))) {
                throw new IllegalArgumentException("is no interval; it is between 1m and 8784h, in whole seconds");
            }
        }

        @Override
        public String text() {
            return "every " + DurationText.write(interval);
        }
    }
}

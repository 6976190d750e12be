// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** When a plan is due by the clock. */
public sealed interface Timing {

    /** As it is written in a plan. */
    String text();

    /**
     * By five fields as in Unix: minute, hour, day of the month, month, day of the week. When both kinds of days are
     * restricted, either is enough.
     *
     * @param expression with single spaces
     */
    record Cron(String expression) implements Timing {

        /** @throws IllegalArgumentException when it is no such expression */
        public Cron {
            expression = String.join(" ", expression.strip().split("\\s+", -1));
            if (expression.split(" ", -1).length != 5) {
                throw new IllegalArgumentException("is no cron expression; it has five fields:"
                        + " minute, hour, day of the month, month, day of the week, as in 0 9 * * TUE");
            }
            try {
                new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX)).parse(expression).validate();
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException("is no cron expression: " + reason(invalid), invalid);
            }
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
     * Again and again, counted from when the plan got this interval.
     *
     * @param interval 1 minute to 366 days, in whole seconds
     */
    record Every(Duration interval) implements Timing {

        private static final Duration SHORTEST = Duration.ofMinutes(1);

        private static final Duration LONGEST = Duration.ofDays(366);

        /** @throws IllegalArgumentException when it is out of range */
        public Every {
            if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0
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

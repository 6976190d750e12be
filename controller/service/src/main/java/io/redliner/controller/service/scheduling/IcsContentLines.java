// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.io.ParseWarning;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds in the lines of an iCalendar text what the parser drops or reads otherwise: rules, and the end of a file that was cut
 * off.
 */
final class IcsContentLines {

    private static final Pattern LINE = Pattern.compile("(?<name>[^:;]+)(?:;(?:[^:\"]|\"[^\"]*\")*)?:(?<value>.*)");

    private static final Pattern NO_COUNT = Pattern.compile("(?i)(?:^|;)((COUNT|INTERVAL)=(?:[+-]?0*|-\\d+))(?:;|$)");

    private static final Set<String> WITH_TIMES = Set.of("VEVENT", "VTIMEZONE");

    private final List<ParseWarning> warnings;

    /** Names of the components that the line is in, the innermost first. */
    private final Deque<String> components = new ArrayDeque<>();

    /** The UID of the event, or the name of the time zone. */
    private @Nullable String id;

    /** The first mistake of the component; its name may come behind it. */
    private @Nullable String mistake;

    private IcsContentLines(List<ParseWarning> warnings) {
        this.warnings = warnings;
    }

    /**
     * Refuses a text with rules that are not followed as they are written.
     *
     * @param warnings of the parser
     * @throws InvalidCalendarException with the event and the line
     */
    static void check(String text, List<ParseWarning> warnings) throws InvalidCalendarException {
        String[] lines = text.split("\r\n|\r|\n", -1);
        IcsContentLines contentLines = new IcsContentLines(warnings);
        int number = 0;
        while (number < lines.length) {
            int first = number + 1;
            StringBuilder line = new StringBuilder(lines[number]);
            for (number++; number < lines.length && lines[number].matches("[ \t].*"); number++) {
                line.append(lines[number], 1, lines[number].length());
            }
            Matcher content = LINE.matcher(line);
            if (content.matches()) {
                contentLines.check(first, content.group("name").strip().toUpperCase(Locale.ROOT),
                        content.group("value").strip());
            }
        }
        if (!contentLines.components.isEmpty()) {
            throw new InvalidCalendarException("the calendar ends inside of " + contentLines.components.peek()
                    + ": it was cut off, or END:" + contentLines.components.peek() + " is missing");
        }
    }

    private void check(int number, String name, String value) throws InvalidCalendarException {
        switch (name) {
            case "BEGIN" -> components.push(value.toUpperCase(Locale.ROOT));
            case "END" -> end(value.toUpperCase(Locale.ROOT));
            case "UID", "TZID" -> id = WITH_TIMES.contains(String.valueOf(components.peek())) ? value : id;
            case "EXRULE" -> mistake(number, "has an EXRULE", ", which is not followed: list the times in EXDATE");
            case "RRULE" -> checkRule(number, value);
            default -> {
            }
        }
    }

    private void checkRule(int number, String value) {
        Matcher none = NO_COUNT.matcher(value);
        if (none.find()) {
            mistake(number, "has an RRULE with " + none.group(1), "; " + none.group(2).toUpperCase(Locale.ROOT)
                    + " is between 1 and " + (none.group(2).equalsIgnoreCase("COUNT")
                            ? Integer.MAX_VALUE
                            : RecurrenceCost.MAX_INTERVAL));
        }
        warnings.stream().filter(warning -> Integer.valueOf(number).equals(warning.getLineNumber())).findFirst()
                .ifPresent(warning -> mistake(number, "has an RRULE that cannot be read", ": " + warning.getMessage()));
    }

    private void mistake(int number, String name, String why) {
        if (mistake == null && components.stream().anyMatch(WITH_TIMES::contains)) {
            mistake = name + " (line " + number + ")" + why;
        }
    }

    private void end(String name) throws InvalidCalendarException {
        if (mistake != null && WITH_TIMES.contains(name)) {
            throw new InvalidCalendarException((name.equals("VEVENT") ? "event " : "time zone ")
                    + (id == null || id.isBlank() ? "without a UID" : id) + " " + mistake);
        }
        if (WITH_TIMES.contains(name)) {
            id = null;
        }
        components.removeFirstOccurrence(name);
    }
}

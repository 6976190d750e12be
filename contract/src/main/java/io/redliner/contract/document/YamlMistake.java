// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place at which a parser of YAML stopped, and why.
 *
 * @param line 1-based
 * @param column 1-based
 * @param problem for people
 */
public record YamlMistake(int line, int column, String problem) {

    /** snakeyaml-engine first names what it was reading and since where, then the problem and its place. */
    private static final Pattern PLACE = Pattern
            .compile("(?m)^(.+)\\n in reader, line (\\d{1,9}), column (\\d{1,9}):$");

    private static final Pattern UNQUOTED = Pattern
            .compile("found character '(.{1,2})' that cannot start any token\\..*");

    /** A space at the beginning of a line that YAML does not accept as indentation. */
    private static final Pattern INDENTATION = Pattern.compile("^[ -]*([\\p{Zs}&&[^ ]])");

    /**
     * Returns the mistake in a message of snakeyaml-engine; empty when neither the message nor the text has a place.
     *
     * @param text the text that was parsed
     */
    public static Optional<YamlMistake> in(String message, String text) {
        if (message.startsWith("special characters are not allowed") || message.contains("HighSurrogate")) {
            return unprintable(text);
        }
        Matcher place = PLACE.matcher(message);
        int first = 0;
        Optional<YamlMistake> last = Optional.empty();
        while (place.find()) {
            last = Optional.of(new YamlMistake(Integer.parseInt(place.group(2)), Integer.parseInt(place.group(3)),
                    describe(place.group(1))));
            first = first == 0 ? last.get().line() : first;
        }
        int start = first;
        Optional<YamlMistake> found = last;
        return found.flatMap(mistake -> indentation(text, start, mistake.line())).or(() -> found);
    }

    /** Returns the mistake in the name of a field: to YAML the name begins with the space that was meant to indent it. */
    public static Optional<YamlMistake> inName(String name, int line, int column) {
        Matcher space = INDENTATION.matcher(name);
        return space.lookingAt()
                ? Optional.of(new YamlMistake(line, column + space.start(1), describe(space.group(1).codePointAt(0))))
                : Optional.empty();
    }

    private static Optional<YamlMistake> indentation(String text, int first, int last) {
        int number = 0;
        for (String line : (Iterable<String>) text.lines().limit(last)::iterator) {
            number++;
            Optional<YamlMistake> mistake = number < first ? Optional.empty() : inName(line, number, 1);
            if (mistake.isPresent()) {
                return mistake;
            }
        }
        return Optional.empty();
    }

    private static Optional<YamlMistake> unprintable(String text) {
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            int column = 0;
            for (int character : line.codePoints().toArray()) {
                column++;
                if (!isPrintable(character)) {
                    return Optional.of(new YamlMistake(number, column, String.format(Locale.ROOT,
                            "the character U+%04X is not allowed here; take it out", character)));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns whether YAML 1.2 allows the character in a text (5.1). */
    private static boolean isPrintable(int character) {
        return character == '\t' || (character >= ' ' && character <= '~') || character == 0x85
                || (character >= 0xA0 && character <= 0xD7FF) || (character >= 0xE000 && character <= 0xFFFD)
                || character >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
    }

    private static String describe(int space) {
        String name = String.valueOf(Character.getName(space)).toLowerCase(Locale.ROOT);
        return String.format(Locale.ROOT,
                "there is %s %s (U+%04X) here; YAML is indented with spaces, so write spaces in place of it",
                "aeio".indexOf(name.charAt(0)) < 0 ? "a" : "an", name, space);
    }

    private static String describe(String problem) {
        if (problem.contains("(TAB)")) {
            return "there is a tab here; YAML is indented with spaces, so write spaces in place of the tab";
        }
        Matcher unquoted = UNQUOTED.matcher(problem);
        return unquoted.matches()
                ? "a value cannot begin with " + unquoted.group(1) + "; put the value in quotes"
                : problem;
    }
}

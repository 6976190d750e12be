// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

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

    /** The mistake in a message of snakeyaml-engine; empty when the message names no place. */
    public static Optional<YamlMistake> in(String message) {
        Matcher place = PLACE.matcher(message);
        Optional<YamlMistake> last = Optional.empty();
        while (place.find()) {
            last = Optional.of(new YamlMistake(Integer.parseInt(place.group(2)), Integer.parseInt(place.group(3)),
                    inWords(place.group(1))));
        }
        return last;
    }

    private static String inWords(String problem) {
        if (problem.contains("(TAB)")) {
            return "there is a tab here; YAML is indented with spaces, so write spaces in place of the tab";
        }
        Matcher unquoted = UNQUOTED.matcher(problem);
        return unquoted.matches()
                ? "a value cannot begin with " + unquoted.group(1) + "; put the value in quotes"
                : problem;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Splits PromQL at operators that stand outside of parentheses, braces, brackets and quotes. */
final class PromQlText {

    /** Comparisons, the longer before those that they begin with. */
    private static final List<String> COMPARISONS = List.of(">=", "<=", "==", "!=", ">", "<");

    private static final Set<String> SET_OPERATORS = Set.of("and", "or", "unless");

    private PromQlText() {}

    /** The two sides of an operator. */
    record Binary(String left, String operator, String right) {}

    /** Removes white space, and parentheses around the whole. */
    static String strip(String text) {
        String plain = text.strip();
        while (plain.startsWith("(") && end(plain, 0) == plain.length() - 1) {
            plain = plain.substring(1, plain.length() - 1).strip();
        }
        return plain;
    }

    /** Returns the comparison of an expression; empty when there is none, or several are joined. */
    static Optional<Binary> comparison(String text) {
        return SET_OPERATORS.stream().anyMatch(word -> hasWord(text, word))
                ? Optional.empty()
                : last(text, COMPARISONS);
    }

    /** Returns an expression split at its last operator, which binds weakest of those of the same rank. */
    static Optional<Binary> last(String text, List<String> operators) {
        Binary found = null;
        for (int at = 0; at < text.length(); at++) {
            int position = at;
            Optional<String> operator = operators.stream().filter(one -> text.startsWith(one, position)).findFirst();
            if (operator.isPresent() && at > 0) {
                found = new Binary(text.substring(0, at), operator.get(), text.substring(at + operator.get().length()));
                at += operator.get().length() - 1;
            } else {
                at = end(text, at);
            }
        }
        return Optional.ofNullable(found);
    }

    /** Returns the arguments when the whole text is a call of a function; empty otherwise. */
    static Optional<List<String>> arguments(String function, String text) {
        if (!text.startsWith(function)) {
            return Optional.empty();
        }
        String rest = text.substring(function.length()).strip();
        if (!rest.startsWith("(") || end(rest, 0) != rest.length() - 1) {
            return Optional.empty();
        }
        List<String> arguments = new ArrayList<>();
        int from = 1;
        for (int at = 1; at < rest.length() - 1; at++) {
            if (rest.charAt(at) == ',') {
                arguments.add(rest.substring(from, at).strip());
                from = at + 1;
            }
            at = end(rest, at);
        }
        arguments.add(rest.substring(from, rest.length() - 1).strip());
        return Optional.of(arguments);
    }

    private static boolean hasWord(String text, String word) {
        for (int at = 0; at < text.length(); at++) {
            if (text.regionMatches(true, at, word, 0, word.length()) && isBorder(text, at - 1)
                    && isBorder(text, at + word.length())) {
                return true;
            }
            at = end(text, at);
        }
        return false;
    }

    private static boolean isBorder(String text, int at) {
        return at < 0 || at >= text.length() || !(Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_'
                || text.charAt(at) == ':');
    }

    /** Returns the position of the end of the bracket or the text that begins here; the position itself where none begins. */
    private static int end(String text, int begin) {
        char first = text.charAt(begin);
        if (first == '"' || first == '\'' || first == '`') {
            return endOfText(text, begin);
        }
        if ("([{".indexOf(first) < 0) {
            return begin;
        }
        int depth = 1;
        int at = begin + 1;
        while (at < text.length()) {
            char letter = text.charAt(at);
            if (letter == '"' || letter == '\'' || letter == '`') {
                at = endOfText(text, at);
            } else if ("([{".indexOf(letter) >= 0) {
                depth++;
            } else if (")]}".indexOf(letter) >= 0) {
                depth--;
            }
            if (depth == 0) {
                return at;
            }
            at++;
        }
        return text.length();
    }

    private static int endOfText(String text, int begin) {
        for (int at = begin + 1; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == text.charAt(begin)) {
                return at;
            }
        }
        return text.length();
    }
}

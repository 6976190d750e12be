// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

/** Normalizes the spelling of names and values. */
final class MetricNameNormalizer {

    private MetricNameNormalizer() {}

    /** Returns the name with letters, digits, underscores and colons; underscores one at a time, none at the end. */
    static String family(String name) {
        String clean = clean(name, true);
        int end = clean.length();
        while (end > 1 && clean.charAt(end - 1) == '_') {
            end--;
        }
        return clean.substring(0, end);
    }

    static String label(String name) {
        return clean(name, false);
    }

    static void escape(String value, StringBuilder into) {
        for (int at = 0; at < value.length(); at++) {
            char letter = value.charAt(at);
            switch (letter) {
                case '\\' -> into.append("\\\\");
                case '"' -> into.append("\\\"");
                case '\n' -> into.append("\\n");
                default -> into.append(letter);
            }
        }
    }

    private static String clean(String name, boolean colons) {
        if (isClean(name, colons)) {
            return name;
        }
        StringBuilder clean = new StringBuilder(name.length());
        for (int at = 0; at < name.length(); at++) {
            char letter = allowed(name.charAt(at), colons) ? name.charAt(at) : '_';
            if (letter != '_' || clean.isEmpty() || clean.charAt(clean.length() - 1) != '_') {
                clean.append(letter);
            }
        }
        return clean.toString();
    }

    private static boolean isClean(String name, boolean colons) {
        boolean underscore = false;
        for (int at = 0; at < name.length(); at++) {
            char letter = name.charAt(at);
            if (!allowed(letter, colons) || (underscore && letter == '_')) {
                return false;
            }
            underscore = letter == '_';
        }
        return true;
    }

    private static boolean allowed(char letter, boolean colons) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
                || (letter >= '0' && letter <= '9') || letter == '_' || (colons && letter == ':');
    }
}

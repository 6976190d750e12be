// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.List;

/** Selects the families that the settings include. */
final class MetricNameFilter {

    private final List<String> patterns;

    MetricNameFilter(List<String> patterns) {
        this.patterns = patterns;
    }

    boolean includes(String family) {
        for (String pattern : patterns) {
            if (fits(pattern, family)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Matches a pattern in which {@code *} stands for any text. It backtracks to the last star only, so it takes no more steps than
     * the product of the lengths.
     */
    private static boolean fits(String pattern, String text) {
        int textIndex = 0;
        int patternIndex = 0;
        int star = -1;
        int starMatchEnd = 0;
        while (textIndex < text.length()) {
            if (patternIndex < pattern.length() && pattern.charAt(patternIndex) == '*') {
                star = patternIndex++;
                starMatchEnd = textIndex;
            } else if (patternIndex < pattern.length() && pattern.charAt(patternIndex) == text.charAt(textIndex)) {
                patternIndex++;
                textIndex++;
            } else if (star >= 0) {
                patternIndex = star + 1;
                textIndex = ++starMatchEnd;
            } else {
                return false;
            }
        }
        while (patternIndex < pattern.length() && pattern.charAt(patternIndex) == '*') {
            patternIndex++;
        }
        return patternIndex == pattern.length();
    }
}

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

    /** Backtracks to the last star only, so it takes no more steps than the product of the lengths. */
    private static boolean fits(String pattern, String text) {
        int at = 0;
        int in = 0;
        int star = -1;
        int mark = 0;
        while (at < text.length()) {
            if (in < pattern.length() && pattern.charAt(in) == '*') {
                star = in++;
                mark = at;
            } else if (in < pattern.length() && pattern.charAt(in) == text.charAt(at)) {
                in++;
                at++;
            } else if (star >= 0) {
                in = star + 1;
                at = ++mark;
            } else {
                return false;
            }
        }
        while (in < pattern.length() && pattern.charAt(in) == '*') {
            in++;
        }
        return in == pattern.length();
    }
}

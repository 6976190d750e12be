// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.util.regex.Pattern;

/** Texts from outside, made fit for logs and reasons. */
public final class LogText {

    private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

    private LogText() {}

    /**
     * The text in one line, so that it cannot begin a line that nobody logged.
     *
     * @param maxLength characters; what is longer is cut
     */
    public static String line(String text, int maxLength) {
        String start = text.length() > maxLength ? text.substring(0, maxLength) : text;
        return LINE_BREAKS.matcher(start).replaceAll(" ");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.util.regex.Pattern;

/** Makes texts from outside safe for logs and reasons. */
public final class LogText {

    private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

    private LogText() {}

    /**
     * Returns the text in one line, so that it cannot forge a line of the log.
     *
     * @param maxLength characters; a longer text is cut
     */
    public static String line(String text, int maxLength) {
        String start = text.length() > maxLength ? text.substring(0, maxLength) : text;
        return LINE_BREAKS.matcher(start).replaceAll(" ");
    }
}

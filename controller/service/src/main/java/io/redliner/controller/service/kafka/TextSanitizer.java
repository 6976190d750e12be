// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.text.PlainText;
import java.util.regex.Pattern;

/**
 * Text from outside that ends up in the database, which cannot hold U+0000 and would refuse the whole decision. What is
 * longer than anybody reads is cut: it would be written again with each decision. It is one line, as it ends up in logs, too:
 * a line break would begin a line that nobody logged.
 */
final class TextSanitizer {

    private static final int MAX_LENGTH = 4000;

    private static final Pattern LINE_BREAKS = Pattern.compile("[\\r\\n\\t]+");

    private TextSanitizer() {}

    static String of(String text) {
        String storable = LINE_BREAKS.matcher(PlainText.shown(text.replace("\u0000", ""))).replaceAll(" ");
        if (storable.length() <= MAX_LENGTH) {
            return storable;
        }
        // Half a character is none.
        int end = Character.isHighSurrogate(storable.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
        return storable.substring(0, end) + "…";
    }
}

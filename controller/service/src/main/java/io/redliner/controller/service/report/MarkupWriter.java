// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.io.IOException;
import java.io.Writer;

/**
 * Writes HTML, SVG and XML. Whatever is text or the value of an attribute is escaped; only names of elements and
 * attributes, which come from this package, are not. Characters that XML does not allow become U+FFFD.
 */
final class MarkupWriter {

    private static final char REPLACEMENT = 0xFFFD;

    private final Writer writer;

    MarkupWriter(Writer writer) {
        this.writer = writer;
    }

    /**
     * Begins an element.
     *
     * @param attributes names and values in turn
     */
    MarkupWriter open(String element, String... attributes) throws IOException {
        return begin(element, attributes, ">");
    }

    MarkupWriter empty(String element, String... attributes) throws IOException {
        return begin(element, attributes, "/>");
    }

    private MarkupWriter begin(String element, String[] attributes, String end) throws IOException {
        writer.append('<').append(element);
        for (int number = 0; number < attributes.length; number += 2) {
            writer.append(' ').append(attributes[number]).append("=\"");
            escape(attributes[number + 1]);
            writer.append('"');
        }
        writer.append(end);
        return this;
    }

    MarkupWriter close(String element) throws IOException {
        writer.append("</").append(element).append('>');
        return this;
    }

    MarkupWriter element(String element, String text, String... attributes) throws IOException {
        return open(element, attributes).text(text).close(element);
    }

    MarkupWriter line() throws IOException {
        writer.append('\n');
        return this;
    }

    MarkupWriter text(String text) throws IOException {
        escape(text);
        return this;
    }

    /** Writes a constant of this package, without escaping it. */
    MarkupWriter raw(String constant) throws IOException {
        writer.append(constant);
        return this;
    }

    private void escape(String text) throws IOException {
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            switch (character) {
                case '&' -> writer.append("&amp;");
                case '<' -> writer.append("&lt;");
                case '>' -> writer.append("&gt;");
                case '"' -> writer.append("&quot;");
                case '\'' -> writer.append("&#39;");
                case '\n' -> writer.append("&#10;");
                case '\t' -> writer.append("&#9;");
                default -> {
                    if (Character.isHighSurrogate(character) && index + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(index + 1))) {
                        writer.append(character).append(text.charAt(++index));
                    } else {
                        writer.append(allowed(character) ? character : REPLACEMENT);
                    }
                }
            }
        }
    }

    private static boolean allowed(char character) {
        return character >= ' ' && !Character.isSurrogate(character) && character != 0xFFFE && character != 0xFFFF
                && !(character >= 0x7F && character <= 0x9F);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.http.RequestFailedException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the tokens of text formats, one line after the other. */
final class LineCursor {

    private static final int MAX_LINE_LENGTH = 1 << 16;

    private static final int MAX_NUMBER_LENGTH = 64;

    private static final int MAX_LABELS = 100;

    private final byte[] text;

    /** The end of the line, after which the next one begins. */
    private int end = -1;

    private int at;

    private long line;

    LineCursor(byte[] text) {
        this.text = text;
    }

    /** Goes to the next line, if there is one. */
    boolean next() throws RequestFailedException {
        at = end + 1;
        if (at >= text.length) {
            return false;
        }
        line++;
        end = at;
        while (end < text.length && text[end] != '\n') {
            end++;
        }
        if (end - at > MAX_LINE_LENGTH) {
            throw malformed("is longer than " + MAX_LINE_LENGTH + " bytes");
        }
        return true;
    }

    boolean atEnd() {
        return at >= end || (text[at] == '\r' && at + 1 == end);
    }

    boolean take(char expected) {
        if (at < end && text[at] == expected) {
            at++;
            return true;
        }
        return false;
    }

    void skipBlanks() {
        while (at < end && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
    }

    /** Reads up to the next blank, or the end of the line. */
    String word() {
        int begin = at;
        while (!atEnd() && text[at] != ' ' && text[at] != '\t') {
            at++;
        }
        return string(begin, at);
    }

    /** Reads a metric's or a label's name. */
    String name() throws RequestFailedException {
        int begin = at;
        while (at < end && isOfName(text[at])) {
            at++;
        }
        if (at == begin || (text[begin] >= '0' && text[begin] <= '9')) {
            throw malformed("has no name where one should be");
        }
        return string(begin, at);
    }

    /** Reads the labels after an opening brace, as names and values in turn. */
    void labels(List<String> into) throws RequestFailedException {
        skipBlanks();
        while (!take('}')) {
            String name = name();
            for (int label = 0; label < into.size(); label += 2) {
                if (into.get(label).equals(name)) {
                    throw malformed("has a label twice");
                }
            }
            skipBlanks();
            require('=');
            skipBlanks();
            require('"');
            into.add(name);
            into.add(quoted());
            if (into.size() > 2 * MAX_LABELS) {
                throw malformed("has more than " + MAX_LABELS + " labels");
            }
            skipBlanks();
            if (!take(',') && !(at < end && text[at] == '}')) {
                throw malformed("has no comma between labels");
            }
            skipBlanks();
        }
    }

    double number() throws RequestFailedException {
        int begin = at;
        long digits = 0;
        while (at < end && at - begin < 15 && text[at] >= '0' && text[at] <= '9') {
            digits = 10 * digits + text[at++] - '0';
        }
        if (at > begin && (atEnd() || text[at] == ' ')) {
            return digits;
        }
        at = begin;
        String word = word();
        return number(word);
    }

    /** Parses the number of a line, or of a label {@code le} or {@code quantile}. */
    double number(String word) throws RequestFailedException {
        return switch (word) {
            case "NaN", "nan", "+NaN", "-NaN" -> Double.NaN;
            case "+Inf", "Inf", "inf", "+inf", "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Inf", "-inf", "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> finite(word);
        };
    }

    RequestFailedException malformed(String how) {
        return RequestFailedException.malformed("line " + line + " " + how);
    }

    private double finite(String word) throws RequestFailedException {
        boolean plain = !word.isEmpty() && word.length() <= MAX_NUMBER_LENGTH;
        for (int letter = 0; plain && letter < word.length(); letter++) {
            // Java's own numbers may look otherwise, such as 1d or 0x1p3.
            plain = "0123456789+-.eE".indexOf(word.charAt(letter)) >= 0;
        }
        try {
            if (plain) {
                return Double.parseDouble(word);
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw malformed("has no number where one should be");
    }

    private String quoted() throws RequestFailedException {
        int begin = at;
        while (at < end && text[at] != '"' && text[at] != '\\') {
            at++;
        }
        if (take('"')) {
            return string(begin, at - 1);
        }
        at = begin;
        byte[] unescaped = new byte[end - begin];
        int size = 0;
        while (at < end && text[at] != '"') {
            if (text[at] == '\\' && at + 1 < end) {
                at++;
                unescaped[size++] = text[at] == 'n' ? (byte) '\n' : text[at];
            } else {
                unescaped[size++] = text[at];
            }
            at++;
        }
        require('"');
        return new String(unescaped, 0, size, StandardCharsets.UTF_8);
    }

    private void require(char expected) throws RequestFailedException {
        if (!take(expected)) {
            throw malformed("has no " + expected + " where one should be");
        }
    }

    private String string(int begin, int until) {
        return new String(text, begin, until - begin, StandardCharsets.UTF_8);
    }

    private static boolean isOfName(byte letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
                || (letter >= '0' && letter <= '9') || letter == '_' || letter == ':';
    }
}

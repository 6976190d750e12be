// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * Text that people see as it is stored. Control characters break lines and steer terminals. Format characters are invisible, and
 * some of them, such as U+202E, show the text around them in another order.
 */
public final class PlainText {

    /** Join letters of Persian and of Indic scripts, and parts of emoji, and do nothing else. */
    private static final String JOINERS = "\u200c\u200d";

    private PlainText() {}

    /** Returns whether it is one line without control and format characters. */
    public static boolean line(String text) {
        return firstOther(text, PlainText::inLine).isEmpty();
    }

    /**
     * The text itself.
     *
     * @throws IllegalArgumentException when it has line breaks, tabs, control or format characters
     */
    public static String requireLine(String text) {
        require(text, PlainText::inLine, "use one line of text without invisible characters");
        return text;
    }

    /**
     * The text itself, which may have line breaks and tabs.
     *
     * @throws IllegalArgumentException when it has other control characters, or format characters
     */
    public static String requireLines(String text) {
        require(text, PlainText::inLines, "leave it out");
        return text;
    }

    /** The text with a question mark in a box for each character that people would not see as it is stored. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().map(one -> inLines(one) ? one : 0xfffd).forEach(shown::appendCodePoint);
        return shown.toString();
    }

    private static void require(String text, IntPredicate allowed, String advice) {
        firstOther(text, allowed).ifPresent(character -> {
            throw new IllegalArgumentException(
                    "has the character U+%04X in it; %s".formatted(character, advice));
        });
    }

    private static OptionalInt firstOther(String text, IntPredicate allowed) {
        return text.codePoints().filter(allowed.negate()).findFirst();
    }

    private static boolean inLines(int character) {
        return character == '\n' || character == '\r' || character == '\t' || inLine(character);
    }

    private static boolean inLine(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            case Character.FORMAT -> JOINERS.indexOf(character) >= 0;
            default -> true;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * Text that people see as it is stored. Control characters break lines and steer terminals. Format characters are invisible, and
 * some of them, such as U+202E, show the text around them in another order. Blank letters, characters of private use and those
 * that stand for nothing are invisible, or differ from one screen to the next.
 */
public final class PlainText {

    /** Join letters of Persian and of Indic scripts, and parts of emoji, and do nothing else. */
    private static final String JOINERS = "\u200c\u200d";

    /** Letters without ink: fillers of Korean, the empty Braille pattern, inherent vowels of Khmer. */
    private static final String BLANKS = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0";

    private PlainText() {}

    /** Returns whether it is one line that people see as it is stored. */
    public static boolean line(String text) {
        return firstOther(text, PlainText::inLine).isEmpty() && joinersAreWithinWords(text);
    }

    /**
     * Returns the text if it is valid.
     *
     * @throws IllegalArgumentException when it has line breaks, tabs, control or format characters
     */
    public static String requireLine(String text) {
        require(text, PlainText::inLine, "use one line of text without invisible characters");
        return text;
    }

    /**
     * Returns the text itself, which may have line breaks and tabs.
     *
     * @throws IllegalArgumentException when it has other control characters, or format characters
     */
    public static String requireLines(String text) {
        require(text, PlainText::inLines, "leave it out");
        return text;
    }

    /** Returns the text with a question mark in a box for each character that people would not see as it is stored. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().map(one -> inLines(one) ? one : 0xfffd).forEach(shown::appendCodePoint);
        return shown.toString();
    }

    /** Returns the text, or its first {@code length} characters and an ellipsis when it is longer. */
    public static String shortened(String text, int length) {
        return text.codePointCount(0, text.length()) > length
                ? text.substring(0, text.offsetByCodePoints(0, length)) + "…"
                : text;
    }

    private static void require(String text, IntPredicate allowed, String advice) {
        firstOther(text, allowed).ifPresent(character -> {
            throw new IllegalArgumentException(
                    "has the character U+%04X in it; %s".formatted(character, advice));
        });
        if (!joinersAreWithinWords(text)) {
            throw new IllegalArgumentException("has U+200C or U+200D outside of a word; leave it out");
        }
    }

    /** A joiner without characters at both sides joins nothing, and is not seen. */
    private static boolean joinersAreWithinWords(String text) {
        boolean wordBefore = false;
        boolean joinerBefore = false;
        for (int one : text.codePoints().toArray()) {
            boolean joiner = JOINERS.indexOf(one) >= 0;
            boolean word = !joiner && !Character.isWhitespace(one) && !Character.isSpaceChar(one);
            if ((joiner && !wordBefore) || (joinerBefore && !word)) {
                return false;
            }
            wordBefore = word;
            joinerBefore = joiner;
        }
        return !joinerBefore;
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
            case Character.PRIVATE_USE, Character.SURROGATE -> false;
            case Character.FORMAT -> JOINERS.indexOf(character) >= 0;
            default -> BLANKS.indexOf(character) < 0 && !nonCharacter(character);
        };
    }

    /** Returns the last two of each plane, and U+FDD0 to U+FDEF, stand for nothing. */
    private static boolean nonCharacter(int character) {
        return (character & 0xfffe) == 0xfffe || (character >= 0xfdd0 && character <= 0xfdef);
    }
}

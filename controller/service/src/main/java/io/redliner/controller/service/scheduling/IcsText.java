// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import java.io.ByteArrayOutputStream;

/** iCalendar text as bytes. Some programs fold a long line inside of a character, which RFC 5545 (3.1) allows to happen. */
public final class IcsText {

    private IcsText() {}

    /**
     * Returns the text, whose lines may be unfolded.
     *
     * @throws NotUtf8Exception when it is not UTF-8
     */
    public static String decode(byte[] text) throws NotUtf8Exception {
        try {
            return Utf8.decodeFile(text);
        } catch (NotUtf8Exception foldedOrForeign) {
            return Utf8.decodeFile(foldedBetweenCharacters(text)).replaceAll("\r?\n[ \t]", "");
        }
    }

    /** Moves each fold behind the character that it divides. All lines stay, so that a mistake is still reported in its line. */
    private static byte[] foldedBetweenCharacters(byte[] text) {
        ByteArrayOutputStream moved = new ByteArrayOutputStream(text.length);
        ByteArrayOutputStream folds = new ByteArrayOutputStream();
        int at = 0;
        while (at < text.length) {
            int behind = behindFold(text, at);
            if (behind > at) {
                folds.write(text, at, behind - at);
                at = behind;
                continue;
            }
            boolean isContinuation = (text[at] & 0xC0) == 0x80;
            if (!isContinuation) {
                moved.writeBytes(folds.toByteArray());
                folds.reset();
            }
            moved.write(text[at]);
            at++;
        }
        moved.writeBytes(folds.toByteArray());
        return moved.toByteArray();
    }

    /** Returns where a fold that begins there ends; the same place when none begins there. */
    private static int behindFold(byte[] text, int at) {
        int end = text[at] == '\r' && at + 1 < text.length && text[at + 1] == '\n' ? at + 1 : at;
        boolean isFold = text[end] == '\n' && end + 1 < text.length && (text[end + 1] == ' ' || text[end + 1] == '\t');
        return isFold ? end + 2 : at;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.text.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;

/** iCalendar text as bytes. Some programs fold a long line inside of a character, which RFC 5545 (3.1) allows to happen. */
public final class IcsText {

    private IcsText() {}

    /**
     * The text, whose lines may be unfolded.
     *
     * @throws CharacterCodingException when it is not UTF-8
     */
    public static String decode(byte[] text) throws CharacterCodingException {
        try {
            return Utf8.decodeFile(text);
        } catch (CharacterCodingException foldedOrForeign) {
            return Utf8.decodeFile(unfolded(text));
        }
    }

    private static byte[] unfolded(byte[] text) {
        ByteArrayOutputStream unfolded = new ByteArrayOutputStream(text.length);
        int at = 0;
        while (at < text.length) {
            int end = text[at] == '\r' && at + 1 < text.length && text[at + 1] == '\n' ? at + 1 : at;
            if (text[end] == '\n' && end + 1 < text.length && (text[end + 1] == ' ' || text[end + 1] == '\t')) {
                at = end + 2;
            } else {
                unfolded.write(text[at]);
                at++;
            }
        }
        return unfolded.toByteArray();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes text that must be UTF-8. Other encodings are refused, and no byte is replaced. */
public final class Utf8 {

    private Utf8() {}

    /**
     * Returns the decoded text.
     *
     * @throws NotUtf8Exception when it is in another encoding
     */
    public static String decode(byte[] text) throws NotUtf8Exception {
        ByteBuffer bytes = ByteBuffer.wrap(text);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException otherEncoding) {
            throw new NotUtf8Exception(text, bytes.position());
        }
    }

    /**
     * Returns the text of a file, which may have been written by any editor.
     *
     * @throws NotUtf8Exception when it is in another encoding; UTF-16 without a mark, which can be read as UTF-8, has bytes of
     *            zero, which no text file has
     */
    public static String decodeFile(byte[] text) throws NotUtf8Exception {
        String decoded = decode(text);
        for (int at = 0; at < text.length; at++) {
            if (text[at] == 0) {
                throw new NotUtf8Exception(text, at);
            }
        }
        return decoded;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;

/** Text that somebody else wrote: in UTF-8, or refused. No byte is replaced. */
public final class Utf8 {

    private Utf8() {}

    /**
     * The text, with any character in it.
     *
     * @throws CharacterCodingException when it is in another encoding
     */
    public static String decode(byte[] text) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    }

    /**
     * The text of a file, which any editor may have written.
     *
     * @throws CharacterCodingException when it is in another encoding; UTF-16 without a mark, which can be read as UTF-8, has bytes
     *     of zero, which no text file has
     */
    public static String decodeFile(byte[] text) throws CharacterCodingException {
        String decoded = decode(text);
        if (decoded.indexOf('\0') >= 0) {
            throw new MalformedInputException(1);
        }
        return decoded;
    }
}

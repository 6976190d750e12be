// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.io.Serial;
import java.nio.charset.CharacterCodingException;

/** A text is in another encoding than UTF-8. The message goes on after the text's name, and says where the first such byte is. */
public final class NotUtf8Exception extends CharacterCodingException {

    @Serial
    private static final long serialVersionUID = 1;

    private final String message;

    /** @param offset of the byte in the text, from 0 on */
    NotUtf8Exception(byte[] text, int offset) {
        int line = 1;
        int lineStart = 0;
        for (int at = 0; at < offset; at++) {
            if (text[at] == '\n') {
                line++;
                lineStart = at + 1;
            }
        }
        this.message = "is not UTF-8 (line " + line + ", byte " + (offset - lineStart + 1) + ")";
    }

    @Override
    public String getMessage() {
        return message;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads the small bodies of this package: UTF-8, and not without end. */
final class Bodies {

    private static final int LONGEST = 64 * 1024;

    private Bodies() {}

    static String read(InputStream input) {
        try {
            byte[] bytes = input.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new AccessRefusedException(AccessProblem.REQUEST_REFUSED, "the body is longer than 64 KiB");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException malformed) {
            throw new AccessRefusedException(AccessProblem.REQUEST_REFUSED, "the body is not UTF-8");
        } catch (IOException broken) {
            throw new AccessRefusedException(AccessProblem.REQUEST_REFUSED, "the body could not be read");
        }
    }
}

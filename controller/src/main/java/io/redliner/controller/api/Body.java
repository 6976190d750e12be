// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Reads a request's body: UTF-8, whatever type it claims to be, and not without end. */
public final class Body {

    private static final int LONGEST = 512 * 1024;

    private Body() {}

    /**
     * The body as text.
     *
     * @throws ProblemException when it is too long or no UTF-8
     */
    public static String read(InputStream input) {
        try {
            byte[] bytes = input.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new ProblemException(ProblemType.REQUEST_REFUSED, "the body is longer than 512 KiB");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException malformed) {
            throw new ProblemException(ProblemType.REQUEST_REFUSED, "the body is not UTF-8");
        } catch (IOException broken) {
            throw new ProblemException(ProblemType.REQUEST_REFUSED, "the body could not be read");
        }
    }

    static String hash(String body) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}

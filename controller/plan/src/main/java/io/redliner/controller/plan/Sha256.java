// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts, as UTF-8. */
public final class Sha256 {

    private Sha256() {}

    /** Returns the 32 bytes of the digest. */
    public static byte[] of(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** Returns the digest in lower-case hexadecimal, 64 digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }
}

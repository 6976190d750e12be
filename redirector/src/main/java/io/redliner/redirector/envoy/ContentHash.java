// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Makes versions from content: the same content has the same version in every process. */
final class ContentHash {

    private static final int BYTES_SHOWN = 8;

    private ContentHash() {}

    static String of(ByteString content) {
        return hash(content.toByteArray());
    }

    static String of(String content) {
        return hash(content.getBytes(StandardCharsets.UTF_8));
    }

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, BYTES_SHOWN);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Lots that are the same again for one run or series, and others for another one. */
final class SeededRandom {

    private SeededRandom() {}

    /** The lots of a run or a series. */
    static RandomGenerator of(String id) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed(id));
    }

    private static long seed(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.plan.Sha256;
import java.nio.ByteBuffer;
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
        return ByteBuffer.wrap(Sha256.of(id)).getLong();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;

/** Ten thousand runs. */
@Tag("soak")
class ForgedRunsSoakTest extends ForgedRuns {

    private static final int SEEDS = 10_000;

    ForgedRunsSoakTest() {
        super(LongStream.rangeClosed(1, SEEDS));
    }
}

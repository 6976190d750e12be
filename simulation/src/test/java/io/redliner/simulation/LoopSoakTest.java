// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten thousand runs. */
@Tag("soak")
class LoopSoakTest extends SimulatedRuns {

    private static final int SEEDS = 10_000;

    LoopSoakTest() {
        super(LongStream.rangeClosed(1, SEEDS));
    }

    @Test
    void finds_it_often_whatever_goes_wrong() {
        assertThat(foundAllTheSame()).isGreaterThan(1.0 / 6);
    }
}

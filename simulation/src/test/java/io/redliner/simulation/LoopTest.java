// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import java.util.stream.LongStream;

/**
 * Some hundred runs, and one run for each end that a run can have. {@link LoopSoakTest} has ten thousand. A seed that breaks a
 * promise in either is added to {@link #KEPT} together with the repair.
 */
class LoopTest extends SimulatedRuns {

    /** Of a few, the statistics that are asserted of many may not hold; the promises do. */
    private static final int SEEDS = Integer.getInteger("redliner.loop.seeds", 200);

    private static final long FIRST = Long.getLong("redliner.loop.first", 1);

    /** The first seed that ends with a timeout of its preparation, which none of the others does. */
    private static final LongStream KEPT = LongStream.of(312);

    LoopTest() {
        super(LongStream.concat(LongStream.range(FIRST, FIRST + SEEDS), KEPT).distinct());
    }
}

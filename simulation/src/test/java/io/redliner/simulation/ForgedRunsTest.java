// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import java.util.stream.LongStream;

/**
 * Some runs. {@link ForgedRunsSoakTest} has ten thousand. A seed that breaks a promise in either is added to {@link #KEPT} together
 * with the repair.
 */
class ForgedRunsTest extends ForgedRuns {

    private static final int SEEDS = Integer.getInteger("redliner.loop.forged", 40);

    private static final long FIRST = Long.getLong("redliner.loop.first", 1);

    /**
     * An absurd status hid the epoch that the redirectors knew (15), a redirector that began again gave a forged lease another time to
     * live (571), and a run ended without a reason (1455). Two broke what the simulation demanded: the next lease of an invented run is
     * obeyed while it keeps others away (8672), and a release that Kafka did not take is sent again (9226).
     */
    private static final LongStream KEPT = LongStream.of(15, 571, 1455, 8672, 9226);

    ForgedRunsTest() {
        super(LongStream.concat(LongStream.range(FIRST, FIRST + SEEDS), KEPT).distinct());
    }
}

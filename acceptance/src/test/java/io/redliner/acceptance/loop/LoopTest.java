// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.acceptance.loop.LoopRuns.Run;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The core of the controller, the analyzer and the redirector in one loop, with random failures. Each seed is a run of its own;
 * {@link Promises} are checked after each event of it. {@link ManyLoopsTest} runs more seeds.
 */
@Tag("loop")
class LoopTest {

    /** Nobody judges for so long, and the proxies drop their share by themselves after so long, in s. */
    static final double LONGEST_BLINDNESS = 4.5 + 5;

    private static final int SEEDS = Integer.getInteger("redliner.loop.seeds", 300);

    private static final long FIRST = Long.getLong("redliner.loop.first", 1);

    /** Further seeds: RATIONALE names this one as one that failed. A seed that fails is added here. */
    private static final long[] FIXED = {1880};

    private static List<Run> runs = List.of();

    @BeforeAll
    static void all() {
        runs = LoopRuns.of(LongStream.concat(LongStream.range(FIRST, FIRST + SEEDS), LongStream.of(FIXED)));
    }

    @Test
    void harms_no_more_than_what_happens_while_nobody_can_see_it() {
        assertThat(runs).allSatisfy(run -> {
            Double allowed = run.end().allowedHarm();
            assertThat(run.end().harmed()).as("seed %s", run.seed()).isLessThanOrEqualTo(
                    (allowed == null ? 0 : allowed) + LONGEST_BLINDNESS * run.end().scenario().mostLoad());
        });
    }
}

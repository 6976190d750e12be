// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.stack.Room;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Promises 1, 3 and 7: without the analyzer the traffic is natural again within the lease's time, and the run ends. A replay
 * of what the analyzer was told, by all tests before, gives the published verdicts, byte by byte. {@link LostPartsTest} loses the
 * other parts.
 */
@Isolated("no other class can measure without the analyzer")
class LostAnalyzerTest {

    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration RUN_END = LEASE.multipliedBy(4);

    @RegisterExtension
    private static final SharedStack SHARED = new SharedStack();

    private final LiveService live = SHARED.demo();

    @BeforeEach
    void start() {
        live.startUsers();
    }

    @AfterEach
    void stop() {
        live.stopUsers();
    }

    @Test
    void the_traffic_is_natural_and_the_run_inconclusive_and_all_verdicts_can_be_replayed() throws IOException {
        ControllerClient controller = SHARED.controller();
        String run = live.rampUp(controller);

        SHARED.stack().stop(Room.ANALYZER);

        live.awaitNaturalWithin(LEASE);
        assertThat(RunEnd.awaitOf(controller, run, RUN_END).path("outcome").asString()).isEqualTo("INCONCLUSIVE");
        SHARED.recording().assertReplayGives(SHARED.stack().bootstrapServers(), SharedStack.SEARCH);
        SHARED.start(Room.ANALYZER);
    }
}

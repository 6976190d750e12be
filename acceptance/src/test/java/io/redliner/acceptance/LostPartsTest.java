// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.stack.Room;
import io.redliner.standalone.stack.Stack;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promises 1 and 3: whichever part is lost in mid-ramp, the traffic is natural again within the lease's time. */
class LostPartsTest {

    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration RUN_END = Duration.ofSeconds(20);

    private LiveStack whole;

    private LiveService live;

    private Stack stack;

    @BeforeEach
    void start() throws Exception {
        whole = new LiveStack();
        live = whole.live();
        stack = whole.stack();
    }

    @AfterEach
    void stop() throws Exception {
        whole.close();
    }

    @Test
    void without_the_analyzer_the_traffic_is_natural_and_the_run_inconclusive() {
        losing(Room.ANALYZER);
    }

    @Test
    void without_the_collector_and_its_access_log_stream_the_traffic_is_natural_and_the_run_inconclusive() {
        losing(Room.COLLECTOR);
    }

    @Test
    void without_kafka_the_traffic_is_natural_and_the_run_ends() {
        try (ControllerClient controller = new ControllerClient(stack.dashboard())) {
            String run = live.rampUp(controller);

            stack.stopKafka();

            live.awaitNaturalWithin(LEASE);
            assertThat(RunEnd.awaitOf(controller, run, RUN_END).path("outcome").asString())
                    .isNotEqualTo("CAPACITY_FOUND").isNotEmpty();
        }
    }

    private void losing(Room room) {
        try (ControllerClient controller = new ControllerClient(stack.dashboard())) {
            String run = live.rampUp(controller);

            stack.stop(room);

            live.awaitNaturalWithin(LEASE);
            assertThat(RunEnd.awaitOf(controller, run, RUN_END).path("outcome").asString()).isEqualTo("INCONCLUSIVE");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static io.redliner.acceptance.SharedStack.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A process of {@code up} that stands still for a minute in mid-ramp and then goes on, as on a machine that is suspended. */
@Tag("fault")
class FrozenProcessTest {

    private static final Duration FREEZE = Duration.ofMinutes(1);

    @Test
    void without_redliner_the_traffic_is_natural_and_it_ends_the_run_when_it_goes_on() throws Exception {
        frozen("frozen-redliner", (up, folder) -> Stream.of(up.handle()), true);
    }

    @Test
    void without_the_database_the_traffic_is_natural_and_the_run_ends() throws Exception {
        frozen("frozen-database", (up, folder) -> {
            ProcessHandle server = ProcessHandle.of(Long.parseLong(Files
                    .readAllLines(folder.data().resolve("postgresql/postmaster.pid")).getFirst().strip()))
                    .orElseThrow();
            return Stream.concat(Stream.of(server), server.descendants());
        }, true);
    }

    @Test
    void a_proxy_that_goes_on_serves_everybody_and_sends_natural_traffic() throws Exception {
        frozen("frozen-proxy", (up, folder) -> Stream.of(folder.envoy()), false);
    }

    /** The processes that stand still. */
    private interface Frozen {

        Stream<ProcessHandle> in(RedlinerProcess up, StackFolder folder) throws Exception;
    }

    /** @param served whether users are served meanwhile; otherwise they wait for as long as they like, and are served afterwards */
    private static void frozen(String name, Frozen frozen, boolean served) throws Exception {
        try (StackFolder folder = new StackFolder();
                LiveService live = new LiveService(name);
                RedlinerProcess up = KilledStandaloneTest.start(folder, live);
                ApiClient controller = KilledStandaloneTest.controller(up)) {
            String run = live.rampUp(controller);
            long failed = live.failed();
            List<ProcessHandle> processes = frozen.in(up, folder).toList();

            signal("STOP", processes);
            try {
                long until = System.nanoTime() + FREEZE.toNanos();
                if (served) {
                    live.awaitNaturalWithin(LEASE);
                    live.awaitServed();
                }
                await("a minute").atMost(FREEZE.multipliedBy(2)).until(() -> System.nanoTime() >= until);
            } finally {
                signal("CONT", processes);
            }

            live.awaitServed();
            live.awaitNaturalWithin(LEASE);
            JsonNode ended = RunEnd.awaitOf(controller, run, FREEZE);
            assertThat(ended.path("outcome").asString()).as(ended.path("stopReason").toString())
                    .isIn("FAILED", "INCONCLUSIVE", "ABORTED");
            assertThat(ended.path("stopReason").path("detail").asString()).isNotBlank();
            long failedBefore = served ? failed : live.failed();
            live.awaitServed();
            assertThat(live.failed() - failedBefore).as("requests that failed").isZero();
        }
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        for (ProcessHandle process : processes) {
            // One that has ended meanwhile, such as a worker of the database, needs no signal.
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.demo.ControllerClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Promises 1 and 7: the traffic comes back although nothing of RedLiner lives, and the next start ends the run. */
@Tag("fault")
class KilledStandaloneTest {

    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration START = Duration.ofMinutes(1);

    @Test
    void a_kill_in_mid_ramp_leaves_an_envoy_with_natural_weights_within_the_lease_and_the_next_start_ends_the_run()
            throws Exception {
        try (LiveService live = new LiveService(); RedlinerProcess killed = start(live)) {
            String run;
            try (ControllerClient controller = controller(killed)) {
                run = live.rampUp(controller);
            }
            ProcessHandle envoy = envoy(live);

            killed.kill();

            live.awaitNaturalWithin(LEASE);
            assertThat(envoy.isAlive()).as("the proxy, without its control plane").isTrue();
            live.awaitServed();
            live.assertServedAllTheWhile();
            try (RedlinerProcess restarted = start(live); ControllerClient controller = controller(restarted)) {
                JsonNode ended = RunEnd.awaitOf(controller, run, START);
                assertThat(ended.path("outcome").asString()).isEqualTo("ABORTED");
                assertThat(ended.hasNonNull("result")).as("a result that was half found").isFalse();
                assertThat(envoy.isAlive()).as("the proxy that was left over").isFalse();
                live.awaitServed();
                live.awaitNaturalWithin(LEASE);
                restarted.interrupt();
                assertThat(restarted.awaitExit(Duration.ofSeconds(30))).isEqualTo(130);
            }
        }
    }

    private static RedlinerProcess start(LiveService live) throws Exception {
        return RedlinerProcess.start(live.dataFolder(), List.of("up", "--port", "0", "--services",
                live.servicesFile().toString(), "--data", live.dataFolder().toString()), hastySearch());
    }

    /** As environment variables. */
    private static Map<String, String> hastySearch() {
        return LiveService.HASTY_SEARCH.entrySet().stream().collect(Collectors.toMap(
                setting -> setting.getKey().replace('.', '_').toUpperCase(Locale.ROOT), Map.Entry::getValue));
    }

    private static ControllerClient controller(RedlinerProcess process) {
        return new ControllerClient(URI.create(process.awaitOutput("is up: (http://\\S+)/", START)));
    }

    private static ProcessHandle envoy(LiveService live) throws Exception {
        Path pidFile = live.dataFolder().resolve("envoy/envoy-standalone.pid");
        return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip())).orElseThrow();
    }
}

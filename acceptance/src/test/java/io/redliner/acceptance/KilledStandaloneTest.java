// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static io.redliner.acceptance.SharedStack.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Promises 1 and 7: the traffic comes back although nothing of RedLiner lives, and the next start ends the run. A proxy that dies alone
 * is started again.
 */
@Tag("fault")
class KilledStandaloneTest {

    private static final Duration START = Duration.ofMinutes(2);

    @Test
    void a_kill_in_mid_ramp_leaves_an_envoy_with_natural_weights_within_the_lease_and_the_next_start_goes_on_with_it()
            throws Exception {
        try (StackFolder folder = new StackFolder();
                LiveService live = new LiveService("killed-standalone");
                RedlinerProcess killed = start(folder, live)) {
            String run;
            try (ApiClient controller = controller(killed)) {
                run = live.rampUp(controller);
            }
            ProcessHandle envoy = folder.envoy();

            killed.kill();

            live.awaitNaturalWithin(LEASE);
            assertThat(envoy.isAlive()).as("the proxy, without its control plane").isTrue();
            live.awaitServed();
            live.assertServedAllTheWhile();
            long failed = live.failed();
            try (RedlinerProcess restarted = start(folder, live); ApiClient controller = controller(restarted)) {
                JsonNode ended = RunEnd.awaitOf(controller, run, START);
                assertThat(ended.path("outcome").asString()).isEqualTo("ABORTED");
                assertThat(ended.hasNonNull("result")).as("a result that was half found").isFalse();
                assertThat(folder.envoy()).as("the proxy that was left over").isEqualTo(envoy);
                live.awaitServed();
                assertThat(live.failed()).as("requests that failed at or after the restart").isEqualTo(failed);
                live.awaitNaturalWithin(LEASE);
                restarted.interrupt();
                assertThat(restarted.awaitExit(START)).isEqualTo(130);
            }
        }
    }

    @Test
    void a_proxy_that_is_killed_runs_again_while_users_are_refused_for_a_moment() throws Exception {
        try (StackFolder folder = new StackFolder();
                LiveService live = new LiveService("killed-proxy");
                RedlinerProcess up = start(folder, live)) {
            up.awaitOutput("is up: (http://\\S+)/", START);
            live.awaitServed();
            ProcessHandle envoy = folder.envoy();
            long failed = live.failed();

            assertThat(envoy.destroyForcibly()).isTrue();

            String seconds = up.awaitOutput("users were refused for ([0-9.]+) s", START);
            live.awaitServed();
            long refused = live.failed() - failed;
            System.out.println(refused + " requests of 500/s were refused, for " + seconds + " s");
            assertThat(Double.parseDouble(seconds)).as("promised is 1, and a busy machine is given more")
                    .isLessThan(10);
            assertThat(refused).isLessThan(5_000);
            assertThat(up.output()).contains("Envoy (process " + envoy.pid() + ") died");
            assertThat(folder.envoy()).isNotEqualTo(envoy);
            up.interrupt();
            assertThat(up.awaitExit(Duration.ofSeconds(30))).isEqualTo(130);
        }
    }

    static RedlinerProcess start(StackFolder folder, LiveService live) throws Exception {
        folder.services().put(live.service().name(), live.service().entry());
        return RedlinerProcess.start(folder.data(), List.of("up", "--port", "0", "--services",
                folder.services().path().toString(), "--data", folder.data().toString()), settings());
    }

    /** As environment variables. */
    static Map<String, String> settings() {
        return SharedStack.FAULT_SETTINGS.entrySet().stream().collect(Collectors.toMap(
                setting -> setting.getKey().replace('.', '_').replace("-", "").toUpperCase(Locale.ROOT),
                Map.Entry::getValue));
    }

    static ApiClient controller(RedlinerProcess process) {
        return new ApiClient(URI.create(process.awaitOutput("is up: (http://\\S+)/", START)));
    }
}

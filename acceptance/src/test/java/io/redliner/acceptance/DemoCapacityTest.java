// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.LineOutput;
import io.redliner.cli.watch.RunOutput;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoResult;
import io.redliner.standalone.demo.DemoRun;
import io.redliner.standalone.demo.DemoService;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demo's own run, with the default search: the capacity is found, recorded, and the traffic is as before. */
@Tag("soak")
class DemoCapacityTest {

    @TempDir
    Path folder;

    @Test
    void finds_and_stores_the_capacity_of_the_odd_instance_within_a_tenth_and_restores_the_traffic()
            throws Exception {
        DemoService service = DemoService.start(FreePort.next());
        try (DataFolder data = DataFolder.lock(folder.resolve("data"));
                DemoTraffic traffic = service.traffic();
                StandaloneStack stack = new StandaloneStack(
                        new StackSettings(data, service.writeServicesFile(folder), 0,
                                EnvoyBinary.locate(), service.collectorSettings()))) {
            stack.start();
            try (ControllerClient controller = new ControllerClient(stack.dashboard(), null)) {
                RunOutput output = new LineOutput(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
                traffic.start();

                DemoResult result = new DemoRun(service, traffic, controller, output).run();
                // On a machine that is too busy the peers are late as well, and there is no answer.
                for (int spare = 2; spare > 0 && result.ending().outcome().equals("INCONCLUSIVE"); spare--) {
                    result = new DemoRun(service, traffic, controller, output).run();
                }

                if (result.harm().allowed() != null) {
                    assertThat(result.harm().requests()).isLessThanOrEqualTo(result.harm().allowed());
                }
                assertThat(result.ending().outcome()).as(result.ending().stopReason()).isEqualTo("CAPACITY_FOUND");
                assertThat(result.error()).as("relative error").isCloseTo(0, within(0.10));
                assertThat(result.bottleneck()).as("its requests wait for its workers").first().asString()
                        .startsWith("THREAD_OR_CONNECTION_POOL");
                assertThat(result.harm().allowed()).as("the budget of a run that found something").isNotNull();
                JsonNode stored = controller.get("/api/v1/capacities/" + DemoService.NAME).path("items").path(0);
                assertThat(stored.path("instance").asString()).isEqualTo(service.oddInstance());
                assertThat(stored.path("capacity").asDouble())
                        .isEqualTo(Objects.requireNonNull(result.found()).capacity());
                assertThat(stored.path("limitingRule").asString()).isIn("latency", "errors");
            }
        } finally {
            service.fleet().close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoService;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Rechecks of the demo's odd instance, on real parts: as it is, and when each of its answers takes longer. */
@Tag("soak")
class RecheckTest {

    private static final Duration MAX_RUN = Duration.ofMinutes(12);

    /** The median of the instance is 22 ms. */
    private static final Duration SLOWER = Duration.ofMillis(60);

    private final DemoService service = DemoService.start(FreePort.next());

    private final DemoTraffic traffic = service.traffic();

    private DataFolder data;

    private StandaloneStack stack;

    private ApiClient controller;

    @BeforeEach
    void start(@TempDir Path folder) {
        data = DataFolder.lock(folder.resolve("data"));
        stack = new StandaloneStack(new StackSettings(data, service.writeServicesFile(folder), 0, EnvoyBinary.locate(),
                service.collectorSettings()));
        stack.start();
        controller = new ApiClient(stack.dashboard());
        traffic.start();
        await().atMost(Duration.ofMinutes(1)).until(() -> traffic.succeeded() > 1_000);
        service.fleet().addresses().forEach(instance -> controller.putVersion(DemoService.NAME, instance, "1"));
        String plan = service.plan().replace(", precision: 25%", "");
        controller.putPlan("capacity", plan);
        controller.putPlan("recheck", plan.replace("profile: capacity", "profile: recheck"));
    }

    @AfterEach
    void stop() {
        controller.close();
        stack.close();
        traffic.close();
        service.fleet().close();
        data.close();
    }

    private JsonNode run(String plan) {
        JsonNode run = RunEnd.awaitOf(controller, controller.startRun(plan), MAX_RUN);
        System.out.println(run.path("outcome").asString() + " " + run.path("stopReason"));
        assertThat(run.path("restore").path("proof").asString()).as(run.toString()).isEqualTo("MEASURED");
        return run;
    }

    private static String code(JsonNode run) {
        return run.path("stopReason").path("code").asString();
    }

    @Test
    void an_instance_that_is_as_it_was_never_counts_as_moved_and_one_that_became_slower_does() {
        JsonNode capacity = run("capacity");
        assertThat(capacity.path("outcome").asString()).as(capacity.toString()).isEqualTo("CAPACITY_FOUND");

        JsonNode same = run("recheck");
        service.fleet().delay(service.oddInstance(), SLOWER);
        JsonNode slower = run("recheck");

        assertThat(code(same)).as(same.toString()).isIn("AsBefore", "MoveUnknown");
        assertThat(code(slower)).as(slower.toString()).isEqualTo("Moved");
        assertThat(same.path("harm").path("requests").asLong()).as(same.toString()).isZero();
    }
}

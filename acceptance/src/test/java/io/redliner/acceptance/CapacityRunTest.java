// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.demo.ConstructedCapacity;
import io.redliner.standalone.demo.ControllerClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/**
 * The whole main job on real parts, as from a second machine: the command line runs {@code deploy/examples/capacity.yaml} on a
 * fleet like the demo's, and the capacity is found, recorded, and the traffic is as before. {@link DemoCapacityTest} is the same
 * with the demo's own times.
 */
@Isolated("What runs beside it takes the processor from the instance whose capacity is looked for.")
class CapacityRunTest {

    static final String METRIC = "redliner_capacity_requests_per_second";

    static final Set<String> LABELS = Set.of("service", "instance");

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @TempDir
    Path folder;

    @RegisterExtension
    final SharedStack shared = SharedStack.steady();

    @Test
    void finds_and_stores_the_capacity_of_the_odd_instance_within_a_tenth_and_restores_the_traffic() throws Exception {
        SlowFleet fleet = SlowFleet.BUSY;
        OwnService service = shared.serve(fleet.service("capacity"));
        ControllerClient controller = shared.controller();
        controller.putHardware(service.name(), fleet.oddInstance(service), "small");
        Path plan = Files.writeString(folder.resolve("capacity.yaml"), fleet.example("capacity", service));
        try (ProxyWatch proxy = new ProxyWatch(shared.stack().proxyAdmin(), service.name(),
                fleet.oddInstance(service));
                RedlinerProcess process = RedlinerProcess.startElsewhere(folder, shared.stack().dashboard(), "run",
                        plan.toString(), "--watch")) {

            int status = process.awaitExit(PATIENCE);

            System.out.println(process.output());
            assertThat(status).as(process.output()).isZero();
            assertThat(process.output()).contains("Ramping", "requests/s  p99 ", "Finished: CAPACITY_FOUND",
                    "Capacity ", "Traffic restored: MEASURED");
            assertThat(proxy.since(0)).as("share by the proxy").anyMatch(share -> share > 0.30)
                    .noneMatch(share -> share > SlowFleet.MAX_SHARE + 1e-6);
        }
        JsonNode run = controller.get("/runs?service=" + service.name()).path("items").path(0);
        JsonNode stored = controller.get("/capacities/" + service.name()).path("items").path(0);
        assertThat(stored.path("instance").asString()).isEqualTo(fleet.oddInstance(service));
        assertThat(stored.path("capacity").asDouble()).as(run.toString())
                .isEqualTo(run.path("result").path("capacity").asDouble())
                .isCloseTo(new ConstructedCapacity(fleet.odd(), fleet.limit(), 0.001).requestsPerSecond(),
                        Percentage.withPercentage(10));
        assertThat(stored.path("limitingRule").asString()).isIn("latency", "errors");
        assertThat(run.path("harm").path("requests").asDouble())
                .isLessThanOrEqualTo(run.path("harm").path("allowed").asDouble());
        try (Scrapes scrapes = new Scrapes()) {
            scrapes.look(shared.stack());
            assertThat(scrapes.seen().get(METRIC)).containsAll(LABELS);
        }
    }
}

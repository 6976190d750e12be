// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.scheduling.SeriesService;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The runs that the status of a CapacityTest is made from. */
class RunsOfPlanTest {

    private final Scene scene = Scene.shared();

    private final String service = scene.newService();

    private final FakeDataPlane plane = scene.plane(service);

    private final List<String> members = new ArrayList<>();

    private List<String> runs(String ofService, Instant since) {
        return scene.context().getBean(RunReadRepository.class).ofPlan(service, ofService, since, members).stream()
                .map(StoredRun::id).toList();
    }

    @Test
    void are_the_live_ones_and_the_newest_that_is_over() {
        scene.client().post("/api/v1/plans", Scene.plan(service, service));
        String first = scene.start(service);
        scene.awaitPhase(first, "Finished");
        plane.holding = true;
        String second = scene.start(service);

        assertThat(runs(service, Instant.EPOCH)).containsExactly(second, first);
        assertThat(runs("another", Instant.EPOCH)).containsExactly(second);
        assertThat(runs(service, scene.now().plusSeconds(60))).containsExactly(second);
        assertThat(scene.context().getBean(SeriesService.class).newestOfPlan(service, Instant.EPOCH)).isEmpty();

        scene.client().post("/api/v1/runs/" + second + ":abort", "{\"reason\": \"seen\"}");
        scene.awaitPhase(second, "Finished");
        String inline = scene.startPlan(Scene.plan(service, service).replace("latency.p99", "latency.p95"));
        assertThat(runs(service, Instant.EPOCH)).as("nobody stored its plan").containsExactly(second);
        members.add(inline);
        assertThat(runs(service, Instant.EPOCH)).as("a run of the series").containsExactly(inline, second);
        scene.client().post("/api/v1/runs/" + inline + ":abort", "{\"reason\": \"seen\"}");
        scene.awaitPhase(inline, "Finished");
    }
}

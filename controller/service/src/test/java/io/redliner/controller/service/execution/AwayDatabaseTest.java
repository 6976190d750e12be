// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.BreakableDatabase;
import io.redliner.controller.scene.Faults;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** PostgreSQL is away for 30 s in the middle of runs. */
@Tag("fault")
@Execution(ExecutionMode.CONCURRENT)
class AwayDatabaseTest {

    private static final Duration AWAY = Duration.ofSeconds(30);

    private final BreakableDatabase database = new BreakableDatabase();

    private final Scene scene = Scene.breakable(database);

    private final Faults faults = new Faults(scene);

    @AfterEach
    void stop() throws InterruptedException {
        database.letGo();
        scene.close();
    }

    @Test
    void a_run_whose_database_was_stopped_and_started_again_is_restored_and_ends_truthfully() {
        FakeDataPlane plane = scene.plane("shop");
        String id = faults.raisedRun(plane);
        Set<String> workers = faults.workers();

        database.stop();
        long gone = System.currentTimeMillis();
        awaitAbsence(gone, List.of(plane));
        database.startAgain();

        assertRestoredAndUsable(List.of(plane), List.of(id), workers);
    }

    @Test
    void ten_runs_whose_database_hung_are_restored_as_soon_as_it_goes_on() {
        List<FakeDataPlane> planes = new ArrayList<>();
        for (int number = 1; number <= 10; number++) {
            planes.add(scene.plane("shop-" + number));
        }
        List<String> ids = planes.stream().map(faults::raisedRun).toList();
        Set<String> workers = faults.workers();

        database.hold();
        long gone = System.currentTimeMillis();
        awaitAbsence(gone, planes);
        database.letGo();

        assertRestoredAndUsable(planes, ids, workers);
    }

    private void awaitAbsence(long gone, List<FakeDataPlane> planes) {
        await().until(() -> scene.client().get("/actuator/health").status() == 503);
        await().atMost(AWAY.plusSeconds(5)).until(() -> System.currentTimeMillis() - gone >= AWAY.toMillis());
        for (FakeDataPlane plane : planes) {
            assertThat(plane.newestLease().getExpiresAtMs()).as("what is not journaled is not renewed")
                    .isLessThan(gone + 5_500);
        }
    }

    private void assertRestoredAndUsable(List<FakeDataPlane> planes, List<String> ids, Set<String> workers) {
        long back = System.currentTimeMillis();
        await().until(() -> scene.client().get("/actuator/health").status() == 200);
        for (String id : ids) {
            JsonNode run = scene.awaitPhase(id, "Finished");
            assertThat(run.get("stopReason").get("code").asString()).as("what happened to it").isEqualTo("LeaseLost");
            assertThat(run.get("restore").get("proof").asString()).as("received as soon as it was reported")
                    .isNotEqualTo("BY_EXPIRY");
        }
        for (FakeDataPlane plane : planes) {
            assertThat(plane.leases()).filteredOn(lease -> lease.getIssuedAtMs() > back)
                    .allMatch(lease -> lease.getReleased() || lease.getSharePpm() <= FakeDataPlane.NATURAL_PPM);
        }
        ids.forEach(faults::assertJournalWhole);
        assertThat(faults.workers()).containsAll(workers);
        Faults.letGo(planes.getFirst());
        assertThat(scene.awaitPhase(scene.start(planes.getFirst().service()), "Finished").get("outcome").asString())
                .isEqualTo("CAPACITY_FOUND");
    }
}

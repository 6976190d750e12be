// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.BreakableDatabase;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Faults;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SmallDisk;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** PostgreSQL has no space left. */
class FullDiskTest {

    private static final int MEBIBYTES = 160;

    @Test
    void what_cannot_be_written_is_not_sent_and_with_space_again_all_goes_on() throws Exception {
        assertRestoredAfterFullDisk(false);
    }

    @Test
    void a_database_that_breaks_down_over_its_full_disk_is_as_one_that_was_stopped() throws Exception {
        assertRestoredAfterFullDisk(true);
    }

    private static void assertRestoredAfterFullDisk(boolean breaksDown) throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.mount(MEBIBYTES);
        assumeThat(mounted).as("this process may mount a file system").isPresent();
        try (SmallDisk disk = mounted.orElseThrow()) {
            BreakableDatabase database = new BreakableDatabase(disk.folder());
            Scene scene = new Scene(database);
            try {
                assertRestored(disk, database, scene, breaksDown);
            } finally {
                disk.makeRoom();
                scene.close();
            }
        }
    }

    private static void assertRestored(SmallDisk disk, BreakableDatabase database, Scene scene, boolean breaksDown)
            throws SQLException {
        Faults faults = new Faults(scene);
        FakeDataPlane plane = scene.plane("shop");
        String id = faults.raisedRun(plane);
        Set<String> workers = Faults.workers();

        disk.fill();
        if (breaksDown) {
            useUpTheLog(database);
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> scene.client().get("/actuator/health").status() == 503);
        long unwritable = System.currentTimeMillis();
        int sent = plane.leases().size();
        await().atMost(Duration.ofSeconds(10)).until(() -> System.currentTimeMillis() - unwritable > 6_000);
        assertThat(plane.newestLease().getExpiresAtMs()).as("natural within the TTL").isLessThan(unwritable + 5_500);
        assertThat(plane.leases()).as("nothing is sent that is not written").hasSize(sent);
        assertThat(scene.client().post("/api/v1/runs", Scene.plan("other", "other")).status()).isGreaterThan(399);

        disk.makeRoom();
        if (!database.running()) {
            database.startAgain();
        }
        assertThat(scene.awaitPhase(id, "Finished").get("stopReason").get("code").asString()).isEqualTo("LeaseLost");
        faults.assertJournalWhole(id);
        await().atMost(Duration.ofSeconds(20)).until(() -> scene.client().get("/actuator/health").status() == 200);
        assertThat(Faults.workers()).isEqualTo(workers);
        Faults.letGo(plane);
        assertThat(scene.awaitPhase(scene.start("shop"), "Finished").get("outcome").asString())
                .isEqualTo("CAPACITY_FOUND");
    }

    /** A log that cannot be continued ends the whole server. */
    private static void useUpTheLog(BreakableDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            for (int segment = 0; segment < 20; segment++) {
                statement.execute("SELECT pg_switch_wal(), pg_logical_emit_message(false, 'test', 'x')");
            }
        } catch (SQLException down) {
            assertThat(down.getSQLState()).as(down.getMessage()).startsWith("5").hasSize(5);
        }
    }
}

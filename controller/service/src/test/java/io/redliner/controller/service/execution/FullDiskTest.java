// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.BreakableDatabase;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Faults;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SmallDisk;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * PostgreSQL has no space left. There is no one moment from which on nothing can be written: a small row still finds room
 * in a page where a large one did not. So nothing here is compared with a time at which the disk was full, only with what
 * the database says itself.
 */
@Tag("fault")
@Execution(ExecutionMode.CONCURRENT)
class FullDiskTest {

    private static final int MEBIBYTES = 160;

    /** More segments of the log than the server keeps in store. */
    private static final int SEGMENTS = 20;

    /** What is done to a database whose disk is full, beyond that. */
    private interface Push {

        void over(BreakableDatabase database) throws SQLException;
    }

    @Test
    void what_cannot_be_written_is_not_sent_and_with_room_again_all_goes_on() throws Exception {
        assertRestoredAfter(FullDiskTest::expectNoRoomInTables);
    }

    @Test
    void a_database_that_breaks_down_over_its_log_is_started_again_and_all_goes_on() throws Exception {
        assertRestoredAfter(FullDiskTest::useUpTheLog);
    }

    private static void assertRestoredAfter(Push push) throws Exception {
        try (SmallDisk disk = SmallDisk.mount(MEBIBYTES)) {
            BreakableDatabase database = new BreakableDatabase(disk.folder());
            Scene scene = Scene.breakable(database);
            try {
                assertRestored(disk, database, scene, push);
            } finally {
                disk.makeRoom();
                scene.close();
            }
        }
    }

    private static void assertRestored(SmallDisk disk, BreakableDatabase database, Scene scene, Push push)
            throws SQLException {
        Faults faults = new Faults(scene);
        FakeDataPlane plane = scene.plane("shop");
        String id = faults.raisedRun(plane);
        Set<String> workers = faults.workers();

        disk.fill();
        push.over(database);
        await().until(() -> {
            // Whatever the server has let go of meanwhile is taken, too.
            disk.fill();
            return !storing(scene);
        });
        await().atMost(Duration.ofSeconds(40)).until(plane::natural);

        disk.makeRoom();
        await().until(() -> database.answers() || !database.running());
        if (!database.answers()) {
            database.startAgain();
        }
        await().atMost(Duration.ofSeconds(40)).until(() -> scene.client().get("/actuator/health").status() == 200);
        assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isIn("FAILED", "INCONCLUSIVE");
        faults.assertJournalWhole(id);
        faults.assertSentOnlyWhatIsJournaled(plane, id);
        assertThat(faults.workers()).containsAll(workers);
        assertThat(faults.raisedRun(plane)).as("the service can be tested again").isNotEqualTo(id);
    }

    /** Whether health says that the controller's decisions can be written; it is down when they cannot. */
    private static boolean storing(Scene scene) {
        Answer answer = scene.client().get("/actuator/health");
        JsonNode storing = answer.json().at("/components/driverHealth/details/storing");
        assertThat(storing.isBoolean()).as("said by %s", answer.json()).isTrue();
        assertThat(answer.status() == 200 && !storing.asBoolean()).as("up, and cannot store").isFalse();
        return storing.asBoolean();
    }

    /** Rows for which there is no room in the pages that there are. */
    private static void expectNoRoomInTables(BreakableDatabase database) throws SQLException {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE probe AS SELECT repeat('x', 1000000)");
            fail("the disk is full, and the database still finds room");
        } catch (SQLException full) {
            assertThat(full.getSQLState()).as(full.getMessage()).isEqualTo("53100");
        }
    }

    /** A log that cannot be continued ends the whole server. */
    private static void useUpTheLog(BreakableDatabase database) {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            for (int segment = 0; segment < SEGMENTS; segment++) {
                statement.execute("SELECT pg_switch_wal(), pg_logical_emit_message(false, 'test', 'x')");
            }
            fail("the disk is full, and the log goes on");
        } catch (SQLException down) {
            assertThat(down.getSQLState()).as("broken off: %s", down).isNotNull();
        }
    }
}

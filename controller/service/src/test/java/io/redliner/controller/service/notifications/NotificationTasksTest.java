// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.service.persistence.NotificationQueries;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** The tasks behind the deliveries, on a real PostgreSQL. Time stands: a task that was put off comes back only when it is brought. */
@Timeout(20)
@SequentialTests
class NotificationTasksTest {

    private static NotifyScene scene;

    private final Hook hook = new Hook();

    private final List<NotifyScene.Deliveries> controllers = new ArrayList<>();

    @BeforeAll
    static void open() {
        scene = new NotifyScene();
    }

    @AfterAll
    static void closeScene() throws Exception {
        scene.close();
    }

    @AfterEach
    void close() throws Exception {
        controllers.forEach(NotifyScene.Deliveries::stop);
        scene.jdbc.sql("DELETE FROM notification").update();
        scene.jdbc.sql("DELETE FROM notification_task").update();
        hook.close();
    }

    private NotifyScene.Deliveries start() {
        NotifyScene.Deliveries deliveries = scene.deliveries(Duration.ofHours(1));
        controllers.add(deliveries);
        deliveries.start();
        return deliveries;
    }

    private StoredRun aborted() {
        return scene.aborted(NotifyScene.webhook(hook.url("/")));
    }

    private static int delivered() {
        return scene.queries.list(NotificationQueries.State.DELIVERED, null, null, 1000).size();
    }

    @Test
    void what_is_due_to_a_quick_receiver_arrives_in_order_without_a_turn_for_each() {
        List<String> ids = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            scene.pass(Duration.ofMillis(1));
            ids.add(scene.messages(aborted()).getFirst().id());
        }

        start();

        await().until(() -> delivered() == 20);
        assertThat(hook.requests()).extracting(Hook.Request::id).containsExactlyElementsOf(ids);
    }

    @Test
    void what_was_put_off_is_brought_back_when_an_execution_has_taken_its_time() {
        hook.behave((request, socket) -> {
            scene.pass(scene.properties.timeout());
            Hook.ok(request, socket);
        });
        StoredRun first = aborted();
        scene.pass(Duration.ofMillis(1));
        aborted();
        aborted();
        scene.jdbc.sql("UPDATE notification_task SET execution_time = :later WHERE task_instance <> :first")
                .param("later", Timestamp.from(scene.clock.instant().plus(Duration.ofDays(1))))
                .param("first", scene.messages(first).getFirst().id())
                .update();

        start();

        await().until(() -> delivered() == 3);
        assertThat(hook.requests()).hasSize(3);
    }

    @Test
    void a_message_that_waits_without_a_task_gets_one() {
        aborted();
        scene.jdbc.sql("DELETE FROM notification_task").update();
        NotifyScene.Deliveries deliveries = start();

        deliveries.monitor().run();

        await().until(() -> delivered() == 1);
    }

    /** One connection each: to begin, to settle, to see that no other message is due, to end the task, and to bring the next. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void a_short_outage_leaves_no_task_to_a_scheduler_that_counts_as_dead(int connections) {
        scene.refuseAfter(connections);
        StoredRun run = aborted();

        start();

        await().until(() -> scene.tasks() == 0 && scene.hasRefused());
        assertThat(scene.state(run)).isEqualTo("delivered");
        assertThat(hook.requests()).hasSize(1);
    }

    @Test
    void health_is_down_when_a_due_message_is_not_taken() {
        NotifyScene.Deliveries deliveries = start();
        deliveries.monitor().start();
        assertThat(deliveries.monitor().health().getStatus()).isEqualTo(Status.UP);

        scene.transaction.executeWithoutResult(status -> {
            StoredRun run = aborted();
            scene.pass(Duration.ofSeconds(61));
            Health health = deliveries.monitor().health();
            assertThat(scene.state(run)).isEqualTo("waiting");
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails()).containsEntry("oldestLatenessSeconds", 61L).containsEntry("notifier", true);
        });

        await().until(() -> delivered() == 1);
        assertThat(deliveries.monitor().health().getStatus()).isEqualTo(Status.UP);
        deliveries.monitor().stop();
    }
}

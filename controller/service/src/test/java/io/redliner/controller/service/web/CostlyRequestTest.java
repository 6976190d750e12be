// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Two requests with a body are worked on at a time, and hold up neither those without one nor what stops runs. */
class CostlyRequestTest {

    private static final String REASON = "{\"reason\": \"it hurts\"}";

    private static Scene scene;

    @BeforeAll
    static void start() {
        scene = Scene.virtual(Map.of("redliner.controller.access.body-timeout", "2s",
                "spring.datasource.hikari.data-source-properties.socketTimeout", 60));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        scene.close();
    }

    private static CompletableFuture<Answer> store(String plan) {
        return CompletableFuture.supplyAsync(() -> Scene.client(scene.context())
                .put("/api/v1/plans/" + plan, Scene.plan(plan, plan)), Thread::startVirtualThread);
    }

    /** The statements of stored plans that wait for the lock. The schedules are read now and then, and wait for it as well. */
    private static List<String> waiting() {
        return scene.context().getBean(JdbcClient.class)
                .sql("SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                        + " AND query LIKE '%FROM plan JOIN plan_version%'")
                .query(String.class)
                .list();
    }

    @Test
    void while_two_are_worked_on_a_third_is_asked_to_come_again_and_the_kill_switch_is_answered() throws SQLException {
        List<CompletableFuture<Answer>> stored = new ArrayList<>();
        try (Connection connection = scene.context().getBean(DataSource.class).getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            statement.execute("LOCK TABLE plan_version IN ACCESS EXCLUSIVE MODE");
            stored.add(store("plan-0"));
            stored.add(store("plan-1"));
            await().untilAsserted(() -> {
                for (int number = 0; number < stored.size(); number++) {
                    // None is stored while the lock is held: the body of one that is answered came too late, on a busy machine.
                    if (stored.get(number).isDone()) {
                        stored.set(number, store("plan-" + number));
                    }
                }
                assertThat(waiting()).as("of %s", stored).hasSize(2);
            });

            Answer third = scene.client().post("/api/v1/plans:validate", Scene.plan("third", "third"));
            assertThat(third.status()).isEqualTo(503);
            assertThat(third.json().get("type").asString()).endsWith("/busy");
            assertThat(third.header("Retry-After")).isNotBlank();
            assertThat(scene.client().post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
            assertThat(scene.client().post("/api/v1/runs/none:abort", REASON).status()).isEqualTo(404);
            assertThat(scene.client().post("/api/v1/series/none:abort", REASON).status()).isEqualTo(404);
            assertThat(scene.client().get("/api/v1/runs").status()).isEqualTo(200);
            connection.rollback();
        }

        assertThat(stored).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(200));
        assertThat(scene.client().post("/api/v1/plans:validate", Scene.plan("third", "third")).status()).isEqualTo(200);
    }
}

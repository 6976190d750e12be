// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.IdempotencyKeys;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Runs and series share the keys. */
class IdempotencyKeysTest {

    private final Scene scene = Scene.shared();

    private final String service = scene.newService();

    private final String key = UUID.randomUUID().toString();

    private final String run = Scene.plan(service, service);

    private final String series = run + """
              profile: regression
              regression: {old: "10.0.0.1:8080", new: "10.0.0.2:8080"}
            """;

    @BeforeEach
    void fleet() {
        scene.plane(service).holding = true;
    }

    @AfterEach
    void end() {
        scene.client().get("/api/v1/series?limit=50").json().get("items").valueStream()
                .filter(one -> one.get("service").asString().equals(service))
                .forEach(one -> abort("/api/v1/series/" + one.get("id").asString()));
        scene.client().get("/api/v1/runs?service=" + service).json().get("items")
                .forEach(one -> abort("/api/v1/runs/" + one.get("id").asString()));
    }

    private void abort(String path) {
        scene.client().post(path + ":abort", "{\"reason\": \"the test is over\"}");
    }

    private Answer submit(String body, String idempotencyKey) {
        return scene.client().post("/api/v1/runs", body, "Idempotency-Key", idempotencyKey);
    }

    @Test
    void a_key_of_a_run_is_none_of_a_series() {
        String id = submit(run, key).json().get("id").asString();

        Answer conflict = submit(series, key);

        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.json().get("type").asString()).endsWith("/idempotency-conflict");
        assertThat(conflict.json().get("runId").asString()).isEqualTo(id);
    }

    @Test
    void a_key_of_a_series_gives_the_same_series_again_and_no_run() {
        String id = submit(series, key).json().get("id").asString();

        assertThat(submit(series, key).json().get("id").asString()).isEqualTo(id);
        Answer conflict = submit(run, key);
        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.json().get("seriesId").asString()).isEqualTo(id);
        assertThat(new IdempotencyKeys(scene.context().getBean(JdbcClient.class)).find(key)
                .map(IdempotencyKeys.Use::id)).contains(id);
    }

    /** Case R1: the run goes on moving traffic, whatever becomes of its plan. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_retry_gets_the_same_run_after_its_plan_was_changed_or_deleted(boolean deleted) {
        String plan = "/api/v1/plans/" + service;
        assertThat(scene.client().put(plan, run).status()).isEqualTo(200);
        String order = "{\"plan\": \"%s\"}".formatted(service);
        String id = submit(order, key).json().get("id").asString();
        Answer changed = deleted
                ? scene.client().delete(plan)
                : scene.client().put(plan, run.replace("100ms')", "90ms')"));
        assertThat(changed.status()).isLessThan(300);

        Answer retried = submit(order, key);

        assertThat(retried.status()).isEqualTo(202);
        assertThat(retried.json().get("id").asString()).isEqualTo(id);
        assertThat(retried.header("Location")).isEqualTo("/api/v1/runs/" + id);
        assertThat(submit("{\"plan\": \"another\"}", key).status()).isEqualTo(409);
    }

    /** A caller that used up such a key would keep another user's plan from starting. */
    @ParameterizedTest
    @ValueSource(strings = {"schedule/weekly/1/7/2026-11-30T03:00:00Z", "deployment/d-1/weekly", "series/s-1/1/1",
        "kubernetes/u-1/2"})
    void nobody_uses_up_a_key_that_the_controller_makes_itself(String reserved) {
        Answer refused = submit(run, reserved);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("field").asString()).isEqualTo("Idempotency-Key");
    }
}

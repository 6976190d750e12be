// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** A real database that refuses single writes. */
class LostWriteTest {

    private final Scene scene = Scene.shared();

    private final JdbcClient jdbc = scene.context().getBean(JdbcClient.class);

    private String ramping() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");
        return id;
    }

    /** Refuses the first journal entries of a kind; a sequence is not rolled back with its transaction. */
    static void refuse(JdbcClient jdbc, String runId, String kind, int times) {
        String name = "refusal_" + runId.replace('-', '_');
        jdbc.sql("CREATE SEQUENCE " + name).update();
        jdbc.sql("CREATE FUNCTION " + name + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.run_id = '" + runId
                + "' AND NEW.event ->> 'kind' LIKE '" + kind + "' AND nextval('" + name + "') <= " + times
                + " THEN RAISE EXCEPTION 'refused by the test'; END IF; RETURN NEW; END $$").update();
        jdbc.sql("CREATE TRIGGER " + name + " BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION " + name + "()")
                .update();
    }

    @Test
    void an_abort_is_not_lost_with_the_writes_that_fail() {
        String id = ramping();
        refuse(jdbc, id, "AbortRequested", 2);

        scene.client().post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"enough\"}");

        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("outcome").asString()).isEqualTo("ABORTED");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("AbortRequested");
        assertThat(run.get("stopReason").get("detail").asString()).isEqualTo("enough");
    }

    @Test
    void a_run_whose_state_cannot_be_read_any_more_starves_no_other_and_is_ended() {
        String broken = ramping();
        String other = ramping();
        refuse(jdbc, broken, "%", Integer.MAX_VALUE);
        scene.until(() -> !scene.context().getBean(RunExecutor.class).storing());
        jdbc.sql(
                "UPDATE run SET state = jsonb_set(state, '{kind}', '\"Unheard\"'), version = version + 1 WHERE id = :id")
                .param("id", broken)
                .update();

        scene.until(() -> !scene.context().getBean(RunExecutor.class).drives(broken));
        assertThat(scene.context().getBean(RunExecutor.class).drives(other)).isTrue();
        scene.client().post("/api/v1/runs/" + other + ":abort", "{\"reason\": \"enough\"}");
        scene.awaitPhase(other, "Finished");
        UnreadableRows unreadable = scene.context().getBean(UnreadableRows.class);
        scene.until(() -> unreadable.named().getOrDefault("run", List.of()).contains(broken));
        jdbc.sql("DROP TRIGGER refusal_" + broken.replace('-', '_') + " ON journal").update();
        scene.until(() -> jdbc.sql("SELECT phase FROM run WHERE id = :id")
                .param("id", broken)
                .query(String.class)
                .single()
                .equals("Finished"));
        JsonNode run = scene.run(broken);
        assertThat(unreadable.named().getOrDefault("run", List.of())).doesNotContain(broken);
        assertThat(run.get("outcome").asString()).isEqualTo("FAILED");
        assertThat(run.get("stopReason").get("detail").asString()).contains("cannot be read");
    }

    @Test
    void a_run_that_was_registered_and_never_begun_is_taken_over() throws Exception {
        String service = scene.newService();
        String id = UUID.randomUUID().toString();
        Instant now = scene.now();
        RunBounds bounds = new RunBounds(new Share(500_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1));

        RunRepository store = scene.context().getBean(RunRepository.class);
        store.register(
                new RunOrder(new CanonicalPlan("plan", "hash", "{}"), null, "default", 0,
                        new RunFacts(id, service, "10.0.0.1:80", 0,
                                new Share(250_000), bounds, RunTimeouts.DEFAULT, now),
                        List.of()),
                null, "body");

        scene.until(() -> store.holder(service).isEmpty());
        assertThat(scene.run(id).get("stopReason").get("code").asString()).isEqualTo("ControllerLost");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A run of long ago: its journal and windows were removed, and it says so. */
class RemovedDetailsTest {

    private final Scene scene = Scene.shared();

    private final JdbcClient jdbc = scene.context().getBean(JdbcClient.class);

    private void remove(String id, String details, long upTo) {
        jdbc.sql("UPDATE run SET details = 'Going' WHERE id = :id").param("id", id).update();
        jdbc.sql("DELETE FROM journal WHERE run_id = :id AND sequence <= :upTo").param("id", id)
                .param("upTo", upTo)
                .update();
        if (details.equals("Gone")) {
            jdbc.sql("DELETE FROM judged_window WHERE run_id = :id").param("id", id).update();
        }
        jdbc.sql("UPDATE run SET details = :details WHERE id = :id").param("id", id)
                .param("details", details)
                .update();
    }

    private Answer get(String id, String what, String... headers) {
        return scene.client().get("/api/v1/runs/" + id + what, headers);
    }

    @Test
    void a_replay_and_reports_are_refused_with_the_reason_and_the_rest_is_answered() {
        String id = scene.finishedRun();
        assertThat(get(id, "/journal").status()).isEqualTo(200);
        remove(id, "Gone", Long.MAX_VALUE);

        Answer journal = get(id, "/journal");
        assertThat(journal.status()).isEqualTo(410);
        assertThat(journal.json().get("type").asString()).endsWith("/details-removed");
        assertThat(journal.json().get("detail").asString()).contains(id, "removed");
        for (String format : new String[]{"json", "html", "junit", "csv"}) {
            assertThat(get(id, "/report?format=" + format).status()).isEqualTo(410);
        }
        assertThat(get(id, "/timeline").status()).isEqualTo(410);
        assertThat(get(id, "/decisions").status()).isEqualTo(410);
        assertThat(get(id, "/decisions/1").status()).isEqualTo(410);
        assertThat(get(id, "").json().get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
        assertThat(get(id, "/steps").json().get("items")).isNotEmpty();
        Answer windows = get(id, "/windows?limit=5");
        assertThat(windows.status()).isEqualTo(200);
        assertThat(windows.json().get("items")).isEmpty();
        assertThat(windows.json().path("nextAfter").isNumber()).isFalse();
        assertThat(get(id, "/events").response().body()).contains("event:end").doesNotContain("\nid:");
    }

    @Test
    void one_whose_journal_is_going_is_refused_too_and_its_events_end_as_ever() {
        String id = scene.finishedRun();
        remove(id, "Going", 20);

        assertThat(get(id, "/journal").status()).isEqualTo(410);
        assertThat(get(id, "/events", "Last-Event-ID", "3").response().body()).contains("\nid:", "event:end")
                .doesNotContain("id:20\n");
    }
}

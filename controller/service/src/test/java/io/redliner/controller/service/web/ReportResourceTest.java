// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.WindowSums;
import io.redliner.sla.Judgement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class ReportResourceTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final Filled filled = new Filled(scene);

    private final JdbcClient jdbc = scene.context().getBean(JdbcClient.class);

    private static String path(String run, String format) {
        return "/api/v1/runs/" + run + "/report?format=" + format;
    }

    @Test
    void a_run_that_found_a_capacity_is_reported_in_every_format() {
        String service = scene.newService();
        scene.plane(service);
        filled.capacity(service, "10.0.0.1:8080", 0, 500, "v0", null);
        String run = scene.start(service);
        scene.awaitPhase(run, "Finished");

        JsonNode json = client.get(path(run, "json")).json();
        assertThat(json.at("/head/outcome").asString()).isEqualTo("CAPACITY_FOUND");
        assertThat(json.at("/head/live").asBoolean()).isFalse();
        assertThat(json.at("/head/exitCode").asInt(-1)).isZero();
        assertThat(json.at("/head/planHash").asString()).hasSize(64);
        assertThat(json.at("/result/capacity").asDouble()).isEqualTo(395);
        assertThat(json.at("/result/limitingThreshold").asDouble()).isEqualTo(0.1);
        assertThat(json.at("/previous/capacity").asDouble()).isEqualTo(500);
        assertThat(json.at("/previous/change/percent").asDouble()).isEqualTo(-21);
        assertThat(json.at("/previous/change/significance").asString()).isEqualTo("FALL");
        assertThat(json.at("/restore/proof").asString()).isEqualTo("MEASURED");
        assertThat(json.at("/bottleneck/0/resource").asString()).isEqualTo("CPU");
        assertThat(json.at("/exceedances/fit/0/high").asDouble()).isEqualTo(0.014);
        assertThat(json.at("/harm/used").asDouble()).isPositive();
        assertThat(json.get("conditions").size()).isEqualTo(6);
        assertThat(json.get("steps").size()).isGreaterThan(4);
        assertThat(json.at("/rules/0/breached").asInt()).isPositive();
        assertThat(json.get("claims").size()).isEqualTo(6);

        Answer html = client.get(path(run, "html"));
        assertThat(html.header("Content-Type")).startsWith("text/html");
        assertThat(html.header("Content-Security-Policy")).contains("default-src 'none'", "style-src 'sha256-")
                .doesNotContain("script-src");
        assertThat(html.response().body()).contains(service, "395 requests/s", "How much breaks at which load",
                "In short", "</html>");
        Answer junit = client.get(path(run, "junit"));
        assertThat(junit.header("Content-Type")).startsWith("application/xml");
        assertThat(junit.response().body()).contains("tests=\"6\" failures=\"0\"");
        Answer csv = client.get(path(run, "csv"));
        assertThat(csv.header("Content-Type")).startsWith("text/csv");
        assertThat(csv.header("Content-Disposition")).startsWith("attachment");
        int windows = client.get("/api/v1/runs/" + run + "/windows").json().get("items").size();
        assertThat(csv.response().body().lines()).hasSize(windows + 1);
    }

    @Test
    void the_accept_header_chooses_too_and_the_parameter_goes_before_it() {
        String run = filled.run(scene.newService(), "a:1", AT, "{}");
        Map.of("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html", "*/*",
                "application/json", "text/csv", "text/csv", "text/xml", "application/xml",
                "application/json;q=0.1, text/csv;q=0.2", "text/csv").forEach((accept, type) -> {
                    Answer answer = client.get("/api/v1/runs/" + run + "/report", "Accept", accept);
                    assertThat(answer.status()).as(accept).isEqualTo(200);
                    assertThat(answer.header("Content-Type")).as(accept).startsWith(type);
                });
        assertThat(client.get(path(run, "csv"), "Accept", "text/html").header("Content-Type")).startsWith("text/csv");
        Answer none = client.get("/api/v1/runs/" + run + "/report", "Accept", "image/png");
        assertThat(none.status()).isEqualTo(406);
        assertThat(none.header("Content-Type")).startsWith("application/problem+json");
    }

    @Test
    void an_unknown_format_or_run_is_a_problem_whatever_is_accepted() {
        String run = filled.run(scene.newService(), "a:1", AT, "{}");
        for (String accept : List.of("*/*", "text/html", "text/csv")) {
            Answer format = client.get(path(run, "pdf"), "Accept", accept);
            assertThat(format.status()).isEqualTo(400);
            assertThat(format.header("Content-Type")).startsWith("application/problem+json");
            assertThat(format.json().get("field").asString()).isEqualTo("format");
            assertThat(format.json().get("known").toString()).contains("junit");
            assertThat(client.get(path("none", "html"), "Accept", accept).status()).isEqualTo(404);
        }
    }

    @Test
    void a_live_run_and_runs_of_other_outcomes_are_reported_too() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        String run = scene.start(service);
        scene.awaitPhase(run, "Ramping");
        assertThat(client.get(path(run, "json")).json().at("/head/live").asBoolean()).isTrue();
        assertThat(client.get(path(run, "json")).json().at("/head/exitCode").isMissingNode()).isTrue();
        assertThat(client.get(path(run, "html")).response().body()).contains("This run is live");
        assertThat(client.get(path(run, "junit")).response().body()).contains("The run is live", "<skipped");
        assertThat(client.get(path(run, "csv")).response().body().lines().skip(1)).allMatch(
                line -> line.startsWith(run + ",true,"));

        client.post("/api/v1/runs/" + run + ":abort", "{\"reason\": \"<b>=because</b>\"}");
        scene.awaitPhase(run, "Finished");

        for (String format : List.of("json", "html", "junit", "csv")) {
            assertThat(client.get(path(run, format)).status()).as(format).isEqualTo(200);
        }
        assertThat(client.get(path(run, "html")).response().body()).contains("&lt;b&gt;=because&lt;/b&gt;");
        assertThat(client.get(path(run, "junit")).response().body()).contains("<error message=\"ABORTED: ");
    }

    @Test
    void a_run_that_cannot_be_read_gives_a_clear_problem() {
        String run = filled.run(scene.newService(), "a:1", AT, "{}");
        jdbc.sql("UPDATE run SET state = '{\"kind\": \"Unheard\"}' WHERE id = :id").param("id", run).update();
        String window = filled.run(scene.newService(), "a:1", AT, "{}");
        window(window, 1, "{\"sequence\": \"no number\"}");

        for (String id : List.of(run, window)) {
            for (String format : List.of("json", "html", "junit", "csv")) {
                Answer answer = client.get(path(id, format));
                assertThat(answer.status()).as(format).isEqualTo(409);
                assertThat(answer.json().get("type").asString()).endsWith("/run-unreadable");
                assertThat(answer.json().get("runId").asString()).isEqualTo(id);
            }
        }
        jdbc.sql("UPDATE run SET state = (SELECT state FROM run WHERE id = :other) WHERE id = :id").param("id", run)
                .param("other", window).update();
    }

    @Test
    void an_answer_that_broke_off_does_not_look_like_a_whole_one() {
        String run = filled.run(scene.newService(), "a:1", AT, "{}");
        copies(run, 2000);
        window(run, 3000, "{}");

        assertThatThrownBy(() -> client.get(path(run, "csv"))).isInstanceOf(AssertionError.class)
                .hasCauseInstanceOf(IOException.class);
        assertThat(client.get(path(run, "html")).status()).isEqualTo(409);
    }

    @Test
    void an_hour_of_windows_is_reported_from_the_database() {
        assertReported(3_600);
    }

    @Test
    @Tag("soak")
    void a_day_of_windows_is_reported_from_the_database() {
        assertReported(86_400);
    }

    private void assertReported(int windows) {
        String run = filled.run(scene.newService(), "a:1", AT, "{}");
        copies(run, windows);
        scene.context().getBean(WindowSums.class).add(
                scene.context().getBean(RunReadRepository.class).find(run).orElseThrow());

        Answer csv = client.get(path(run, "csv"));
        assertThat(csv.response().body().lines()).hasSize(windows + 1);
        JsonNode json = client.get(path(run, "json")).json();
        assertThat(json.at("/head/windows").asLong()).isEqualTo(windows);
        assertThat(json.at("/rules/0/windows").asLong()).isEqualTo(windows);
        assertThat(client.get(path(run, "html")).response().body().length()).isLessThan(400_000);
        jdbc.sql("DELETE FROM judged_window WHERE run_id = :run").param("run", run).update();
    }

    private void copies(String run, int many) {
        WindowVerdict verdict = new WindowVerdict(run, 1, 1, AT, Duration.ofSeconds(1), Judgement.HOLDS,
                List.of(new RuleResult("latency", "latency.p99 <= duration('100ms')", Judgement.HOLDS, 0.05, 0.1, 0.5,
                        "seconds", false, "")),
                List.of(), new SearchAdvice(SearchAdvice.Action.HOLD, 250, SearchAdvice.Phase.RAMPING, "hold", 1),
                new TrafficSample(250, 250, 0, 1, 0.01, 0.05, new Share(250_000), 1000L), TrafficSample.NONE, 1000, 0,
                null);
        for (int from = 1; from <= many; from += 5000) {
            copies(run, scene.context().getBean(RunJsonMapper.class).write(verdict), from, Math.min(many, from + 4999));
        }
    }

    private void copies(String run, String content, int from, int to) {
        jdbc.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT :run, number, CAST('2026-01-01T00:00:00Z' AS timestamptz) + number * interval '1 second',
                    'Ramping', 'HOLDS', 250000, CAST(:content AS jsonb) || jsonb_build_object('sequence', number)
                FROM generate_series(:from, :to) number""")
                .param("run", run)
                .param("content", content)
                .param("from", from)
                .param("to", to)
                .update();
    }

    private void window(String run, long sequence, String content) {
        jdbc.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                VALUES (:run, :sequence, now(), 'Ramping', 'HOLDS', 250000, CAST(:content AS jsonb))""")
                .param("run", run)
                .param("sequence", sequence)
                .param("content", content)
                .update();
    }
}

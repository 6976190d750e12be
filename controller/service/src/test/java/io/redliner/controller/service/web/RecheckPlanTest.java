// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleCounts;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.core.run.SearchConclusion.ValidityCheck;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.sla.Judgement;
import io.redliner.testkit.PlanText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A recheck is refused where there is nothing to compare with. */
class RecheckPlanTest {

    private static final String FIRST = "10.0.0.1:8080";

    private static final Duration AGO = Duration.ofDays(1);

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final Filled filled = new Filled(scene);

    private final String service = scene.newService();

    private final Instant found = Instant.now().minus(AGO);

    RecheckPlanTest() {
        FakeDataPlane plane = scene.newPlane(service);
        plane.instances = List.of(FIRST, "10.0.0.2:8080");
        scene.adopt(plane);
    }

    private String plan(String profile) {
        return PlanText.of(service, FIRST, "profile: " + profile, PlanText.sla("100ms"),
                "limits: {maxShare: 60%, harmBudget: 1%}");
    }

    private Answer recheck() {
        return client.post("/api/v1/runs?dryRun=true", plan("recheck"));
    }

    private void version(String version) {
        assertThat(client.put("/api/v1/services/" + service + "/instances/" + FIRST, "version: " + version).status())
                .isEqualTo(200);
    }

    /** A capacity of version v1 that a run found. */
    private String capacity() throws InvalidDocumentException {
        PlanReader reader = scene.context().getBean(PlanReader.class);
        String run = filled.run(service, FIRST, found,
                new PlanWriter().canonical(reader.read(plan("capacity"))).json());
        SearchConclusion sure = new SearchConclusion(List.of(),
                List.of(new ValidityCheck("host", Validity.OK, null, null, "ratio", "the host was watched")));
        filled.capacity(new CapacityRecord(run, service, FIRST, 100, 95, 105, false, "latency", null, null, null, null,
                0, Duration.ofMinutes(5), "nightly", "hash", found, sure, null), "v1", null);
        return run;
    }

    private void windows(String run) {
        RunJsonMapper json = scene.context().getBean(RunJsonMapper.class);
        for (int second = 0; second < 100; second++) {
            Instant start = found.plusSeconds(second);
            TrafficSample sut = new TrafficSample(50 + 0.5 * second, 50, 0, 5, 0.01, 0.03, new Share(500_000));
            RuleResult rule = new RuleResult("latency", "latency.p99 <= duration('100ms')", Judgement.HOLDS, 0.03, 0.1,
                    0.3, "seconds", false, "", new RuleCounts(50, 0, 0.01));
            JudgedWindow window = new JudgedWindow(RunPhase.RAMPING.wireName(), new Share(500_000),
                    new WindowVerdict(run, 1, second + 1, start, Duration.ofSeconds(1), Judgement.HOLDS, List.of(rule),
                            List.of(),
                            new SearchAdvice(SearchAdvice.Action.HOLD, 50, SearchAdvice.Phase.RAMPING, "", 1),
                            sut, TrafficSample.NONE, 200, 0, null));
            scene.context().getBean(JdbcClient.class)
                    .sql("""
                            INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                            VALUES (:run, :sequence, :at, :phase, 'HOLDS', 500000, CAST(:content AS jsonb))""")
                    .param("run", run).param("sequence", second + 1).param("at", start.atOffset(ZoneOffset.UTC))
                    .param("phase", window.phase()).param("content", json.write(window.verdict())).update();
        }
    }

    @Test
    void nothing_known_is_refused_with_what_to_do() {
        Answer answer = recheck();

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().get("type").asString()).endsWith("/no-capacity-known");
        assertThat(answer.json().get("field").asString()).isEqualTo("$.spec.profile");
        assertThat(answer.json().get("detail").asString()).contains("Report the version", "run profile capacity first");
    }

    @Test
    void a_run_that_contradicts_the_earlier_ones_is_compared_with_alone() throws Exception {
        version("v1");
        windows(capacity());
        assertThat(recheck().status()).isEqualTo(200);

        capacity();
        assertThat(recheck().status()).isEqualTo(422);
    }

    @Test
    void too_many_windows_are_thinned_over_the_whole_run() throws Exception {
        version("v1");
        String run = capacity();
        windows(run);

        RunReadRepository runs = scene.context().getBean(RunReadRepository.class);
        assertThat(runs.windowsOverTime(run, 100)).hasSize(100);
        assertThat(runs.windowsOverTime(run, 30)).extracting(window -> window.verdict().sequence())
                .startsWith(4L, 8L).endsWith(96L, 100L);
    }

    @Test
    void a_capacity_is_compared_with_when_its_windows_are_kept_and_it_is_of_this_version() throws Exception {
        version("v1");
        String run = capacity();
        assertThat(recheck().status()).isEqualTo(422);

        windows(run);
        Answer answer = recheck();
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);

        version("v2");
        assertThat(recheck().status()).isEqualTo(422);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.testkit.PlanText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Plans that cannot work, whatever the service does, are refused with the arithmetic, and before any traffic is moved. */
class FeasiblePlanTest {

    private static final String FIRST = "10.0.0.1:8080";

    private static final Path REPOSITORY = Path.of("..", "..");

    private static final String SECOND = "10.0.0.2:8080";

    private static final Pattern FENCED_PLAN = Pattern.compile("```yaml[^\n]*\n(apiVersion:.*?)```", Pattern.DOTALL);

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private String fleetOfTwo() {
        String service = scene.newService();
        fleet(service, FIRST, SECOND);
        return service;
    }

    private void fleet(String service, String... instances) {
        FakeDataPlane plane = scene.newPlane(service);
        plane.instances = List.of(instances);
        scene.adopt(plane);
    }

    private static String plan(String service, String profile, String limits) {
        return PlanText.of(service, FIRST, "profile: " + profile, PlanText.sla("100ms"), "limits: {" + limits + "}");
    }

    private Answer dryRun(String plan) {
        return client.post("/api/v1/runs?dryRun=true", plan);
    }

    private static void assertRefused(Answer answer, String type, String field, String... words) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(422);
        assertThat(answer.json().get("type").asString()).endsWith("/" + type);
        assertThat(answer.json().get("field").asString()).isEqualTo(field);
        assertThat(answer.json().get("detail").asString()).contains(words);
    }

    private static void assertAccepted(Answer answer) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
    }

    private static Stream<Path> documents() {
        return Stream
                .of("docs/guides/sla-from-an-slo.md",
                        "deploy/examples/capacity.yaml",
                        "deploy/examples/first-service/plan.yaml", "deploy/examples/gate.yaml",
                        "deploy/examples/too-short.yaml")
                .map(REPOSITORY::resolve);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void the_plans_of_the_documents_are_accepted_for_a_fleet_of_two(Path document) throws IOException {
        String text = Files.readString(document);
        List<String> plans = document.toString().endsWith(".yaml")
                ? List.of(text)
                : FENCED_PLAN.matcher(text).results().map(fenced -> fenced.group(1)).toList();
        assertThat(plans).isNotEmpty();

        for (String written : plans) {
            Matcher named = Pattern.compile("instance: \"([^\"]+)\"").matcher(written);
            String sut = !written.contains("select:") && named.find() ? named.group(1) : FIRST;
            String service = scene.newService();
            fleet(service, sut, "10.0.9.9:8080");
            assertAccepted(client.put("/api/v1/services/" + service + "/instances/" + sut, "hardware: small"));

            assertAccepted(dryRun(written.replaceAll("service: \\S+", "service: " + service)));
        }
    }

    @Test
    void a_harm_budget_that_pays_for_no_raise_is_refused_with_the_arithmetic() {
        String service = fleetOfTwo();
        String limits = "maxShare: 60%, maxDuration: 30m, harmBudget: 0.01%, window: 1s";
        String plan = plan(service, "capacity", limits);

        assertRefused(dryRun(plan), "out-of-reach", "$.spec.limits.harmBudget", "0.01%", "30m", "at most 9%",
                FIRST + " has 50%", "harmBudget: 0.067%", "60%");
        assertRefused(client.post("/api/v1/runs", plan), "out-of-reach", "$.spec.limits.harmBudget", "at most 9%");
        assertAccepted(dryRun(plan.replace("0.01%", "0.067%")));
    }

    @Test
    void a_shorter_window_is_offered_where_it_suffices() {
        String service = fleetOfTwo();
        String plan = plan(service, "capacity",
                "maxShare: 60%, maxDuration: 30m, harmBudget: 0.04%, window: 1500ms");

        assertRefused(dryRun(plan.replace("0.04%", "0.02%")), "out-of-reach", "$.spec.limits.harmBudget",
                "at most 12%");
        assertRefused(dryRun(plan), "out-of-reach", "$.spec.limits.harmBudget", "at most 24%", "window: 500ms");
        assertAccepted(dryRun(plan.replace("1500ms", "500ms")));
    }

    @Test
    void a_load_that_the_harm_budget_does_not_pay_for_is_refused() {
        String service = fleetOfTwo();
        String plan = plan(service, "load\n  load: {share: 80%, ramp: 5s, hold: 20s}",
                "maxShare: 90%, maxDuration: 2m, harmBudget: 1%, window: 1s");

        assertRefused(dryRun(plan), "out-of-reach", "$.spec.limits.harmBudget", "at most 60%", "80%",
                "harmBudget: 1.4%");
        assertAccepted(dryRun(plan.replace("harmBudget: 1%", "harmBudget: 1.4%")));
        assertAccepted(dryRun(plan.replace("share: 80%", "share: 55%")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity", "bottleneck",
        "breakpoint\n  breakpoint: {until: [{name: failed, expr: 'error_rate > 0.5'}]}"})
    void a_largest_share_that_is_the_natural_one_is_refused(String profile) {
        String plan = plan(fleetOfTwo(), profile,
                "maxShare: 50%, maxDuration: 5m, harmBudget: 5%, window: 500ms");

        assertRefused(dryRun(plan), "share-limit-below-natural", "$.spec.limits.maxShare", "maxShare 50%",
                "natural share", "above 50%");
        assertAccepted(dryRun(plan.replace("maxShare: 50%", "maxShare: 75%")));
    }

    @Test
    void a_test_at_the_natural_share_needs_no_larger_one_and_no_budget_for_it() {
        assertAccepted(dryRun(plan(fleetOfTwo(), "smoke",
                "maxShare: 50%, maxDuration: 2m, harmBudget: 0.01%, window: 1s")));
    }

    @Test
    void a_duration_that_leaves_no_time_to_measure_the_natural_load_is_refused() {
        String service = fleetOfTwo();
        String plan = plan(service, "capacity", "maxShare: 75%, maxDuration: 12s, harmBudget: 20%, window: 1s");

        assertRefused(dryRun(plan), "out-of-reach", "$.spec.limits.maxDuration", "maxDuration 12s", "5s", "4s",
                "14s");
        assertAccepted(dryRun(plan.replace("12s", "14s")));
    }

    @Test
    void a_percentile_that_the_traffic_cannot_support_is_refused_where_the_traffic_is_known() {
        String service = fleetOfTwo();
        String plan = plan(service, "capacity", "maxShare: 60%, maxDuration: 5m, harmBudget: 5%, window: 500ms")
                .replace("latency.p99 ", "latency.p999 ");
        assertAccepted(dryRun(plan));
        scene.awaitPhase(scene.startPlan(plan.replace("p999", "p99")), "Finished");
        JdbcClient jdbc = scene.context().getBean(JdbcClient.class);
        scene.until(() -> jdbc.sql("UPDATE service_peak SET peak = 50 WHERE service = ?").param(service).update() == 1);

        assertRefused(dryRun(plan), "out-of-reach", "$.spec.sla[0].expr", "latency.p999", "1000", "750",
                "50.0 requests/s", "use latency.p99 at most");
        assertAccepted(dryRun(plan.replace("p999", "p99")));
    }

    @Test
    void a_validation_tells_it_too_as_far_as_the_service_is_known() {
        String limits = "maxShare: 60%, maxDuration: 30m, harmBudget: 0.01%, window: 1s";
        String service = fleetOfTwo();

        assertRefused(client.post("/api/v1/plans:validate", plan(service, "capacity", limits)), "out-of-reach",
                "$.spec.limits.harmBudget", "at most 9%");
        assertThat(client.post("/api/v1/plans:validate", plan("not-known-yet", "capacity", limits)).status())
                .isEqualTo(200);
        assertThat(client.put("/api/v1/plans/" + service, plan(service, "capacity", limits)).status())
                .as("a plan that starts by hand can be stored for a fleet that is still to come")
                .isEqualTo(200);
    }

    @Test
    void a_schedule_is_not_stored_for_a_plan_that_cannot_work() {
        String service = fleetOfTwo();
        String plan = plan(service, "capacity", "maxShare: 60%, maxDuration: 30m, harmBudget: 0.01%, window: 1s")
                + "  schedule: {interval: 6h}\n";

        assertRefused(client.put("/api/v1/plans/" + service, plan), "out-of-reach", "$.spec.limits.harmBudget",
                "at most 9%");
        assertThat(client.get("/api/v1/plans/" + service).status()).isEqualTo(404);
    }
}

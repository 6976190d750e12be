// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.limit.Precision;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.SutChoice;
import io.redliner.sla.RuleCompiler;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanReaderTest {

    private static final String GOOD = """
            apiVersion: redliner.io/v1
            kind: CapacityTest
            metadata: {name: profile-be-weekly, labels: {team: profile}}
            spec:
              service: profile-be
              sut: {instance: "10.0.3.17:8080"}
              profile: capacity
              redirect: {mode: split}
              sla:
                - {name: latency, expr: "latency.p99 <= duration('200ms')"}
                - {name: errors, expr: "error_rate <= 0.001"}
              guards:
                - {name: fleet, expr: "service.error_rate <= 0.01"}
              limits: {maxShare: 60%, maxRaise: 1.5x, maxDuration: 10m, harmBudget: 0.01%, window: 500ms}
            """;

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private List<DocumentProblem> problems(String text) {
        try {
            reader.read(text);
        } catch (InvalidDocumentException invalid) {
            return invalid.problems();
        }
        throw new AssertionError("is valid");
    }

    private DocumentProblem problem(String text) {
        List<DocumentProblem> problems = problems(text);
        assertThat(problems).hasSize(1);
        return problems.getFirst();
    }

    @Test
    void reads_a_plan() throws InvalidDocumentException {
        Plan plan = reader.read(GOOD);

        assertThat(plan.name()).isEqualTo("profile-be-weekly");
        assertThat(plan.service()).isEqualTo("profile-be");
        assertThat(plan.sut()).isEqualTo(new SutChoice.Named("10.0.3.17:8080"));
        assertThat(plan.labels()).containsEntry("team", "profile");
        assertThat(plan.sla()).extracting("name").containsExactly("latency", "errors");
        assertThat(plan.limits().maxShare()).isEqualTo(new Share(600_000));
        assertThat(plan.limits().window()).isEqualTo(Duration.ofMillis(500));
        assertThat(plan.limits().harmBudget().asDouble()).isEqualTo(0.0001);
    }

    @Test
    void a_number_is_a_number_however_it_is_written() throws InvalidDocumentException {
        Plan exponents = reader.read("""
                {"apiVersion": "redliner.io/v1", "kind": "CapacityTest", "metadata": {"name": "p2-exponent"},
                 "spec": {"service": "shop-backend", "sut": {"select": "random"}, "profile": "load",
                  "load": {"target": 2.1e2, "ramp": "5s", "hold": "20s"},
                  "sla": [{"name": "latency", "expr": "latency.p99 <= duration('250ms')"}],
                  "limits": {"maxShare": "60%", "harmBudget": 1e-05, "window": "500ms"}}}""");
        Plan plain = reader.read(writer.write(exponents));

        assertThat(exponents.limits().harmBudget().asDouble()).isEqualTo(0.00001);
        assertThat(writer.write(exponents)).contains("210").doesNotContain("2.1");
        assertThat(plain).isEqualTo(exponents);
        assertThat(writer.hash(plain)).isEqualTo(writer.hash(exponents));
    }

    @Test
    void fills_in_the_defaults() throws InvalidDocumentException {
        String text = GOOD.replaceAll("  (profile|redirect|limits|guards).*\n", "").replaceAll(".*fleet.*\n", "");

        Plan plan = reader.read(text);

        assertThat(plan.limits()).isEqualTo(PlanLimits.DEFAULT);
        assertThat(plan.guards()).isEmpty();
    }

    @Test
    void the_canonical_form_is_read_back_and_has_one_hash() throws InvalidDocumentException {
        Plan plan = reader.read(GOOD);
        Plan again = reader.read(writer.write(plan));
        Plan written = reader.read(GOOD.replace("60%", "600000ppm").replace("10m", "600s").replace("0.01%", "0.0001"));

        assertThat(again).isEqualTo(plan);
        assertThat(writer.hash(written)).isEqualTo(writer.hash(plan)).hasSize(64);
        assertThat(writer.hash(reader.read(GOOD.replace("60%", "61%")))).isNotEqualTo(writer.hash(plan));
    }

    @Test
    void an_unknown_field_is_reported_with_line_column_and_path() {
        DocumentProblem problem = problem(GOOD.replace("maxShare", "maxshare"));

        assertThat(problem.line()).isEqualTo(14);
        assertThat(problem.column()).isEqualTo(12);
        assertThat(problem.path()).isEqualTo("$.spec.limits.maxshare");
        assertThat(problem.message()).contains("unknown", "maxShare");
    }

    @Test
    void a_wrong_unit_is_reported_where_it_stands() {
        DocumentProblem problem = problem(GOOD.replace("maxDuration: 10m", "maxDuration: 10"));

        assertThat(problem.line()).isEqualTo(14);
        assertThat(problem.column()).isEqualTo(56);
        assertThat(problem.path()).isEqualTo("$.spec.limits.maxDuration");
        assertThat(problem.message()).contains("'10'", "30s");
    }

    @Test
    void a_precision_is_read_and_written_and_a_plan_without_one_keeps_its_hash() throws InvalidDocumentException {
        Plan plan = reader.read(GOOD.replace("window: 500ms", "window: 500ms, precision: 12.5%"));

        assertThat(plan.limits().precision()).isEqualTo(new Precision(0.125));
        assertThat(writer.write(plan)).contains("\"precision\":\"12.5%\"");
        assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
        assertThat(writer.write(reader.read(GOOD))).doesNotContain("precision");
    }

    @Test
    void a_precision_out_of_reach_or_of_a_profile_that_searches_nothing_is_refused_where_it_stands() {
        for (String fine : List.of("1%", "60%", "0")) {
            DocumentProblem problem = problem(GOOD.replace("window: 500ms", "precision: " + fine));
            assertThat(problem.path()).isEqualTo("$.spec.limits.precision");
            assertThat(problem.message()).contains("between 4% and 50%");
        }
        DocumentProblem smoke = problem(GOOD.replace("window: 500ms", "precision: 10%").replace("profile: capacity",
                "profile: smoke"));
        assertThat(smoke.path()).isEqualTo("$.spec.limits.precision");
        assertThat(smoke.message()).contains("smoke", "leave it out");
    }

    @Test
    void a_precision_of_a_regression_of_latencies_is_refused_since_its_runs_search_nothing()
            throws InvalidDocumentException {
        String series = GOOD.replace("profile: capacity", "profile: regression").replaceFirst("  sut: .*\n", "")
                .replace("window: 500ms", "precision: 10%");
        String capacities = series + "  regression: {old: \"a:1\", new: \"b:1\", worseBy: 3%}\n";
        String latencies = series
                + "  regression: {old: \"a:1\", new: \"b:1\", compare: latency, load: {target: 50}, worseBy: 3%}\n";

        assertThat(reader.read(capacities).limits().precision()).isEqualTo(new Precision(0.1));
        DocumentProblem problem = problem(latencies);
        assertThat(problem.path()).isEqualTo("$.spec.limits.precision");
        assertThat(problem.message()).contains("regression of latencies", "leave it out");
        assertThat(reader.read(latencies.replace(", precision: 10%", "")).limits().precision()).isNull();
    }

    @Test
    void a_window_that_would_break_the_dead_mans_promise_is_refused_with_the_reason() throws InvalidDocumentException {
        assertThat(reader.read(GOOD.replace("500ms", "1500ms")).limits().window()).isEqualTo(Duration.ofMillis(1500));

        DocumentProblem problem = problem(GOOD.replace("500ms", "1501ms"));

        assertThat(problem.path()).isEqualTo("$.spec.limits.window");
        assertThat(problem.message()).contains("1s500ms", "two windows and 1.5 s", "5 s");
    }

    @Test
    void a_rule_that_does_not_compile_is_reported_with_its_name_and_both_places() {
        DocumentProblem problem = problem(GOOD.replace("error_rate <= 0.001\"", "error_rat <= 0.001\""));

        assertThat(problem.line()).isEqualTo(11);
        assertThat(problem.path()).isEqualTo("$.spec.sla[1].expr");
        assertThat(problem.rule()).isEqualTo("errors");
        assertThat(problem.expressionLine()).isEqualTo(1);
        assertThat(problem.expressionColumn()).isEqualTo(1);
    }

    @Test
    void all_mistakes_are_reported_at_once_in_the_order_of_the_text() {
        List<DocumentProblem> problems = problems(GOOD.replace("CapacityTest", "Capacity")
                .replace("profile: capacity", "profile: sideways")
                .replace("split", "moduli")
                .replace("60%", "60s"));

        assertThat(problems).extracting(DocumentProblem::path)
                .containsExactly("$.kind", "$.spec.profile", "$.spec.redirect.mode", "$.spec.limits.maxShare");
        assertThat(problems.get(1).message()).contains("known are smoke");
        assertThat(problems.get(2).message()).contains("known are split, endpoint-weight, modulo, hash");
    }

    @Test
    void a_missing_or_empty_field_is_reported() {
        assertThat(problem(GOOD.replace("  service: profile-be\n", "")).path()).isEqualTo("$.spec.service");
        assertThat(problem(GOOD.replace("service: profile-be", "service:")).message()).contains("has no value");
        assertThat(problem("apiVersion: redliner.io/v1\nkind: CapacityTest\nmetadata: {name: a}\n").path())
                .isEqualTo("$.spec");
        assertThat(problem("").message()).contains("empty");
        assertThat(problem("just text").message()).contains("must be an object");
    }

    @Test
    void broken_yaml_and_broken_json_are_reported_where_they_break() {
        DocumentProblem yaml = problems("apiVersion: redliner.io/v1\nkind: [\n").getFirst();
        DocumentProblem json = problem("{\"apiVersion\": \"redliner.io/v1\",\n  kind: 1}");

        assertThat(yaml.line()).isGreaterThanOrEqualTo(2);
        assertThat(json.line()).isEqualTo(2);
        assertThat(json.column()).isBetween(3, 4);
    }

    @Test
    void a_field_given_twice_and_anchors_are_refused() {
        assertThat(problem(GOOD + "  service: other\n").message()).contains("twice");
        assertThat(problem(GOOD.replace("team: profile", "team: &x profile, area: *x")).message())
                .contains("anchors");
        assertThat(problem(GOOD + "---\nkind: x\n").message()).contains("more than one document");
    }

    @Test
    void a_rule_that_always_holds_is_reported_with_both_places() {
        DocumentProblem problem = problem(GOOD.replace("error_rate <= 0.001\"", "error_rate <= 1\""));

        assertThat(problem.message()).contains("error_rate is never above 1", "set a limit");
        assertThat(problem.line()).isEqualTo(11);
        assertThat(problem.path()).isEqualTo("$.spec.sla[1].expr");
        assertThat(problem.expressionColumn()).isEqualTo(12);
    }

    @Test
    void two_rules_of_one_name_are_refused() {
        assertThat(problem(GOOD.replace("name: fleet", "name: latency")).message()).contains("'latency'");
    }

    @Test
    void only_informational_rules_are_no_sla() {
        String text = GOOD.replace("(\'200ms\')\"}", "(\'200ms\')\", informational: true}")
                .replace("0.001\"}", "0.001\", informational: true}");

        assertThat(problem(text).path()).isEqualTo("$.spec.sla");
    }

    @Test
    void a_huge_or_deep_document_is_refused() {
        assertThat(problem("#".repeat(300_000)).message()).contains("longer");
        assertThat(problem("[".repeat(100) + "]".repeat(100)).message()).contains("deep");
    }

    @Test
    void rules_beyond_those_that_a_plan_may_have_are_not_compiled() {
        StringBuilder rules = new StringBuilder();
        for (int rule = 0; rule < 3000; rule++) {
            rules.append("    - {name: r%d, expr: \"latency.p99 <= duration('%dms')\"}\n".formatted(rule, rule + 1));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        List<DocumentProblem> problems = problems(GOOD.replace("  guards:", rules + "  guards:"));

        assertThat(problems).hasSize(101).allSatisfy(
                problem -> assertThat(problem.message()).containsAnyOf("a plan has at most 50 rules", "more mistakes"));
        assertThat(problems.getFirst().rule()).isEqualTo("r48");
        // It was a gigabyte, and three seconds.
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(300_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\n", "\\t", "\\u202e", "\\u2066", "\\u200b", "\\u001b", "\\u2028"})
    void names_with_characters_that_people_do_not_see_are_refused_where_they_stand(String character) {
        String name = "\"a" + character + "b\"";

        assertThat(problem(GOOD.replace("{name: latency,", "{name: " + name + ",")).path())
                .isEqualTo("$.spec.sla[0].name");
        assertThat(problem(GOOD.replace("{name: fleet,", "{name: " + name + ",")).path())
                .isEqualTo("$.spec.guards[0].name");
        assertThat(problem(GOOD.replace("{team: profile}", "{team: " + name + "}")).path())
                .isEqualTo("$.metadata.labels.team");
        assertThat(problem(GOOD.replace("{team: profile}", "{" + name + ": profile}")).path())
                .isEqualTo("$.metadata.labels");
        assertThat(problem(GOOD.replace("name: profile-be-weekly", "name: " + name)).line()).isEqualTo(3);
        assertThat(problem(GOOD.replace("service: profile-be", "service: " + name)).line()).isEqualTo(5);
    }

    @Test
    void an_expression_has_no_character_that_shows_it_in_another_order() {
        DocumentProblem problem = problem(GOOD.replace("\"error_rate", "\"\\u202eerror_rate"));

        assertThat(problem.path()).isEqualTo("$.spec.sla[1].expr");
        assertThat(problem.message()).contains("U+202E");
    }
}

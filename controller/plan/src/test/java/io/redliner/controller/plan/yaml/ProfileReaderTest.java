// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.SutChoice;
import io.redliner.sla.RuleCompiler;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileReaderTest {

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private static String text(String... lines) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: shop}
                spec:
                  service: shop
                  sut: {instance: "10.0.0.1:80"}
                  sla: [{name: latency, expr: "latency.p99 <= duration('200ms')"}]
                """ + String.join("", List.of(lines).stream().map(line -> "  " + line + "\n").toList());
    }

    private Plan read(String... lines) throws InvalidDocumentException {
        return reader.read(text(lines));
    }

    private DocumentProblem problem(String... lines) {
        InvalidDocumentException invalid = catchThrowableOfType(InvalidDocumentException.class, () -> read(lines));
        assertThat(invalid).as(String.join("; ", lines)).isNotNull();
        return invalid.problems().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"smoke", "stress", "spike", "endurance", "bottleneck", "capacity", "recheck"})
    void a_profile_alone_is_enough(String profile) throws Exception {
        Plan plan = read("profile: " + profile);

        assertThat(plan.profile().name()).isEqualToIgnoringCase(profile);
        assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
    }

    @Test
    void a_plan_without_a_section_keeps_its_canonical_form() throws Exception {
        assertThat(writer.write(read())).doesNotContain("smoke").endsWith("\"window\":\"1s\"}}}");
    }

    @Test
    void loads_are_rates_shares_parts_of_the_capacity_or_factors() throws Exception {
        assertThat(read("profile: load", "load: {target: 200, hold: 5m}").settings())
                .isEqualTo(new ProfileSettings.Load(new LoadTarget(LoadTarget.Kind.TARGET, new BigDecimal(200)),
                        Duration.ofSeconds(30), Duration.ofMinutes(5)));
        for (String load : List.of("share: 20%", "capacity: 80%", "capacity: 120%", "factor: 1.5x", "target: 12.5")) {
            Plan plan = read("profile: load", "load: {" + load + "}");

            assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
            assertThat(writer.write(plan)).contains(load.substring(load.indexOf(' ') + 1));
        }
    }

    @Test
    void a_recheck_holds_for_ten_seconds_to_five_minutes() throws Exception {
        assertThat(read("profile: recheck").settings()).isEqualTo(new ProfileSettings.Recheck(Duration.ofSeconds(40)));
        assertThat(read("profile: recheck", "recheck: {hold: 2m}").settings())
                .isEqualTo(new ProfileSettings.Recheck(Duration.ofMinutes(2)));
        assertThat(problem("profile: recheck", "recheck: {hold: 5s}").message()).contains("hold is 10s to 5m");
        assertThat(problem("profile: recheck", "limits: {maxDuration: 119s}").message())
                .contains("takes 2m with its baseline");
        assertThat(problem("profile: recheck", "recheck: {hold: 11s}", "limits: {window: 1500ms}").message())
                .contains("hold is at least 8 windows of limits.window, 12s");
        assertThat(problem("profile: recheck", "recheck: {capacity: 90%}").message()).contains("known are hold");
    }

    @Test
    void a_breakpoint_has_conditions_that_are_compiled() throws Exception {
        Plan plan = read("profile: breakpoint", "breakpoint: {until: [{name: gone, expr: \"error_rate > 0.5\"}]}");
        DocumentProblem broken = problem("profile: breakpoint",
                "breakpoint: {until: [{name: gone, expr: \"eror > 1\"}]}");

        assertThat(plan.settings()).isInstanceOfSatisfying(ProfileSettings.Breakpoint.class,
                settings -> assertThat(settings.until().getFirst().informational()).isTrue());
        assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
        assertThat(broken.rule()).isEqualTo("gone");
        assertThat(broken.path()).isEqualTo("$.spec.breakpoint.until[0].expr");
        assertThat(broken.line()).isEqualTo(9);
    }

    @Test
    void a_series_needs_no_sut_beside_its_instances() throws Exception {
        String text = text("profile: regression", "regression: {old: \"a:1\", new: \"b:1\"}")
                .replace("  sut: {instance: \"10.0.0.1:80\"}\n", "");

        Plan plan = reader.read(text);

        assertThat(plan.sut()).isEqualTo(new SutChoice.Named("a:1"));
        assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
    }

    @Test
    void series_name_their_instances() throws Exception {
        Plan grown = read("profile: scalability", "scalability:",
                "  points: [{instance: \"a:1\", size: 1}, {instance: \"b:1\", size: 2}, {instance: \"c:1\", size: 4},"
                        + " {instance: \"d:1\", size: 8.5}]");
        Plan changed = read("profile: regression",
                "regression: {old: \"a:1\", new: \"b:1\", compare: latency, load: {target: 50}, worseBy: 3%}");

        assertThat(reader.read(writer.write(grown))).isEqualTo(grown);
        assertThat(reader.read(writer.write(changed))).isEqualTo(changed);
        assertThat(grown.profile()).isEqualTo(Profile.SCALABILITY);
        assertThat(changed.settings()).isInstanceOfSatisfying(ProfileSettings.Regression.class,
                settings -> assertThat(settings.after()).isEqualTo(new SutChoice.Named("b:1")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            profile: load | - | $.spec.load | 4 | needs a load
            profile: load | load: {target: 200, share: 5%} | $.spec.load | 9 | one of
            profile: load | load: {target: -1} | $.spec.load.target | 9 | not above 0
            profile: load | load: {target: 0} | $.spec.load.target | 9 | not above 0
            profile: load | load: {target: 9, hold: 2h} | $.spec.load | 9 | maxDuration
            profile: load | load: {target: 9, holt: 2m} | $.spec.load.holt | 9 | unknown
            profile: smoke | spike: {factor: 2x} | $.spec.spike | 9 | only for profile spike
            profile: capacity | capacity: {} | $.spec.capacity | 9 | no settings
            profile: smoke | smoke: 5 | $.spec.smoke | 9 | must be an object
            profile: spike | spike: {hold: 10ms} | $.spec.spike.hold | 9 | shorter
            profile: breakpoint | - | $.spec.breakpoint.until | 4 | required
            profile: breakpoint | breakpoint: {step: 3x, until: [{name: a, expr: "error_rate > 0.5"}]} | $.spec.breakpoint | 9 | maxRaise
            profile: endurance | endurance: {target: 5, hold: 1m} | $.spec.endurance | 9 | noise
            profile: scalability | scalability: {points: [{instance: "a:1", size: 1}]} | $.spec.scalability | 9 | 4 different
            profile: scalability | scalability: {points: [{instance: "a:1", size: x}]} | $.spec.scalability.points[0].size | 9 | no size
            profile: regression | regression: {old: "a:1", new: "a:1"} | $.spec.regression | 9 | same instance
            profile: regression | regression: {old: "a:1", new: "b:1", compare: latency} | $.spec.regression | 9 | at a load
            profile: regression | regression: {old: "a:1", new: "b:1", load: {target: 5}} | $.spec.regression | 9 | only for
            profile: regression | regression: {old: "a:1"} | $.spec.regression.new | 9 | required
            profile: sideways | - | $.spec.profile | 8 | known are smoke""")
    void says_what_is_wrong_and_where(String first, String second, String path, int line, String words) {
        DocumentProblem problem = second.equals("-") ? problem(first) : problem(first, second);

        assertThat(problem.path()).isEqualTo(path);
        assertThat(problem.message()).contains(words);
        assertThat(problem.line()).isBetween(line == 4 ? 4 : line, line == 4 ? 5 : line);
    }
}

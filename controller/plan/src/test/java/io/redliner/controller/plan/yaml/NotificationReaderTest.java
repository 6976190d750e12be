// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.plan.NotificationChannel;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import io.redliner.controller.plan.Plan;
import io.redliner.sla.RuleCompiler;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotificationReaderTest {

    private static final String PLAN = """
            apiVersion: redliner.io/v1
            kind: CapacityTest
            metadata: {name: weekly}
            spec:
              service: shop
              sut: {instance: "10.0.0.1:8080"}
              sla:
                - {name: latency, expr: "latency.p99 <= duration('100ms')"}
              guards:
                - {name: fleet-errors, expr: "service.error_rate <= 0.01"}
              limits: {maxShare: 60%, maxDuration: 2m, harmBudget: 1%, window: 100ms}
            """;

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private DocumentProblem problem(String section) {
        try {
            reader.read(PLAN + section);
        } catch (InvalidDocumentException invalid) {
            assertThat(invalid.problems()).hasSize(1);
            return invalid.problems().getFirst();
        }
        throw new AssertionError("is valid");
    }

    @Test
    void reads_every_kind_of_receiver() throws InvalidDocumentException {
        Plan plan = reader.read(PLAN + """
                  notify:
                    - {webhook: "https://example.com/hook?a=b", on: [finished, aborted], secret: shop}
                    - {slack: "https://hooks.slack.com/services/T0/B0/token"}
                    - {email: [ops@example.com, "a.b+c@example.org"], on: [restore-unproven, capacity-changed]}
                    - {target: pager}
                """);

        assertThat(plan.notifications()).extracting(subscription -> subscription.receiver().shown())
                .satisfiesExactly(name -> assertThat(name).matches("example\\.com #[0-9a-f]{6}"),
                        name -> assertThat(name).matches("hooks\\.slack\\.com #[0-9a-f]{6}"),
                        name -> assertThat(name).isEqualTo("ops@example.com, a.b+c@example.org"),
                        name -> assertThat(name).isEqualTo("pager"));
        assertThat(plan.notifications().get(0).on()).containsExactly(NotificationEvent.ABORTED,
                NotificationEvent.FINISHED);
        assertThat(plan.notifications().get(1).on()).isEqualTo(NotificationEvent.USUAL);
        assertThat(plan.notifications().get(3).receiver()).isEqualTo(new NotificationChannel.Named("pager"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"  notify: [{target: pager, true: [finished]}]\n",
        "  schedule: {interval: 6h, true: [deployment]}\n"})
    void a_program_that_made_true_of_on_is_named(String section) {
        assertThat(problem(section).message()).contains("is unknown here", "YAML 1.1", "write \"on\"");
    }

    @Test
    void the_canonical_form_is_read_back_and_the_stored_section_alone_too() throws InvalidDocumentException {
        Plan plan = reader.read(PLAN + """
                  notify:
                    - {webhook: "https://example.com/hook", secret: shop}
                    - {email: [ops@example.com], on: [started]}
                """);

        assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
        assertThat(NotificationReader.ofStored(writer.write(plan))).isEqualTo(plan.notifications());
    }

    @Test
    void a_plan_without_the_section_has_the_form_that_it_always_had() throws InvalidDocumentException {
        assertThat(writer.write(reader.read(PLAN))).doesNotContain("notify");
        assertThat(writer.hash(reader.read(PLAN + "  notify: []\n"))).isEqualTo(writer.hash(reader.read(PLAN)));
        assertThat(NotificationReader.ofStored(writer.write(reader.read(PLAN)))).isEmpty();
    }

    @Test
    void mistakes_are_reported_with_their_place() {
        DocumentProblem unknown = problem("  notify: [{webhook: \"https://a.b\", on: [finished, ended]}]\n");
        assertThat(unknown.path()).isEqualTo("$.spec.notify[0].on[1]");
        assertThat(unknown.line()).isEqualTo(12);
        assertThat(unknown.message()).contains("'ended' is unknown", "capacity-changed");
        assertThat(problem("  notify: [{on: [finished]}]\n").message()).contains("must have one of target, webhook");
        assertThat(problem("  notify: [{slack: \"https://a.b\", target: x}]\n").message()).contains("must have one of");
        assertThat(problem("  notify: [{slack: \"https://a.b\", secret: x}]\n").message()).contains("unknown here");
        assertThat(problem("  notify: [{email: []}]\n").message()).contains("1 to 20 addresses");
        assertThat(problem("  notify: [{email: [a@b.c, a@b.c]}]\n").message()).contains("twice");
        assertThat(problem("  notify: [{email:}]\n").message()).contains("has no value");
        assertThat(problem("  notify: [{target: x, on: []}]\n").message()).contains("at least one event");
        assertThat(problem("  notify: [{target: x, on: [started, started]}]\n").message()).contains("twice");
        assertThat(problem("  notify: [{target: x}, {target: x, on: [started]}]\n").message()).contains("second time");
        assertThat(problem("  notify: {target: x}\n").message()).contains("must be a list");
    }

    @Test
    void an_address_that_cannot_be_used_is_not_repeated() {
        for (String address : List.of("ftp://a.b/top-secret", "https://user:top-secret@a.b", "https:top-secret",
                "top-secret", "https://a.b/top-secret\\u0007", "https:///top-secret", "https://a.b/#top-secret",
                "https://a.b/" + "top-secret".repeat(300))) {
            DocumentProblem problem = problem("  notify: [{webhook: \"" + address + "\"}]\n");

            assertThat(problem.path()).isEqualTo("$.spec.notify[0].webhook");
            assertThat(problem.message()).doesNotContain("top-secret");
        }
    }

    @Test
    void a_plan_in_words_has_no_address_in_it() throws InvalidDocumentException {
        Plan plan = reader.read(
                PLAN + "  notify: [{slack: \"https://a.b/top-secret\"}, {webhook: \"https://a.b/top-secret\"}]\n");

        assertThat(plan.toString()).contains("a.b").doesNotContain("top-secret");
    }

    @Test
    void what_could_be_more_than_one_address_is_none() {
        for (String address : List.of("a@b.c\\r\\nBcc: x@y.z", "a@b.c, d@e.f", "Name <a@b.c>", "a b@c.d", "@b.c", "a@",
                "a@-b", "a..b@c.d")) {
            assertThat(problem("  notify: [{email: [\"" + address + "\"]}]\n").message()).contains("no e-mail address");
        }
    }
}

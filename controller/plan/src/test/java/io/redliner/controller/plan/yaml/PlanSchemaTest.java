// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.sla.RuleCompiler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The schema and the reader say the same of what one of them can say. */
class PlanSchemaTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final JsonNode DOCUMENT = JSON.readTree(PlanReader.schema());

    private static final Schema SCHEMA = SchemaRegistry.withDialect(Dialects.getDraft202012())
            .getSchema(PlanReader.schema());

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private static String plan(String spec) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: a-plan, labels: {team: shop}}
                spec:
                  service: shop
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('100ms')"}
                    - {name: cpu, expr: "cpu <= 0.9", informational: true}
                """ + spec.indent(2);
    }

    /** Together they say everything that a plan can say. */
    static Stream<String> plans() {
        return Stream.concat(sections(), profiles()).map(PlanSchemaTest::plan);
    }

    private static Stream<String> sections() {
        return Stream.of(
                """
                        sut: {instance: "10.0.0.1:80"}
                        profile: capacity
                        guards: [{name: fleet, expr: "service.error_rate <= 0.01"}]
                        limits: {maxShare: 60%, maxRaise: 1.5x, maxDuration: 10m, harmBudget: 0.01%, window: 500ms, precision: 10%}
                        safety: {conflictGroup: db, approval: {within: 1h}, traffic: required}
                        """,
                """
                        sut: {select: label, labels: {hardware: c5.large, version: "1.2", failureDomain: a}}
                        redirect:
                          mode: modulo
                          attribute: {header: x-user-id}
                          modulus: 10000
                          cohorts:
                            - name: germans
                              headers: [{name: x-country, exact: "de"}, {name: x-since, from: 20250101, to: 20260101}]
                              pathPrefix: /shop
                              methods: [GET]
                            - {name: others, path: /other, methods: [PUT]}
                            - {name: grpc, grpcMethod: shop.Cart/Add, methods: [POST]}
                        """, """
                        sut: {select: newest}
                        redirect: {mode: hash, attribute: {cookie: uid}}
                        schedule:
                          cron: "0 9 * * TUE"
                          zone: Europe/Berlin
                          jitter: 10m
                          on: [deployment]
                          delay: 5m
                          only: [{days: [TUE], from: "09:00", to: "17:00"}]
                          except: [quarter-end: 5d, month-end, 2026-12-24/2027-01-02, holidays]
                          missed: run
                          missedWithin: 1h
                        """, """
                        sut: {select: random}
                        redirect: {mode: hash, attribute: {query: uid}}
                        schedule: {interval: 6h}
                        notify:
                          - {target: pager, on: [finished, aborted, restore-unproven]}
                          - {webhook: "https://example.com/hook", secret: shop}
                          - {slack: "https://hooks.slack.com/services/x"}
                          - {email: [ops@example.com]}
                        """);
    }

    private static Stream<String> profiles() {
        return Stream.of("""
                sut: {instance: "a:1"}
                profile: smoke
                smoke: {factor: 1.5x, hold: 10s}
                """, """
                sut: {instance: "a:1"}
                profile: load
                load: {target: 2.1e2, ramp: 5s, hold: 20s}
                """, """
                sut: {instance: "a:1"}
                profile: breakpoint
                breakpoint: {step: 1.1x, dwell: 20s, until: [{name: dead, expr: "error_rate > 0.5"}]}
                """, """
                sut: {instance: "a:1"}
                profile: stress
                stress: {capacity: 130%, ramp: 20s, hold: 20s, recovery: 1m}
                """, """
                sut: {instance: "a:1"}
                profile: spike
                spike: {share: 40%, hold: 10s, recovery: 1m}
                """, """
                sut: {instance: "a:1"}
                profile: recheck
                recheck: {hold: 30s}
                """, """
                sut: {instance: "a:1"}
                profile: endurance
                endurance: {capacity: 70%, ramp: 20s, hold: 6m, drift: 0.1}
                """, """
                sut: {instance: "a:1"}
                profile: bottleneck
                """, """
                profile: scalability
                scalability:
                  points: [{instance: "a:1", size: 1}, {instance: "b:1", size: 2}, {instance: "c:1", size: 4},
                    {instance: "d:1", size: 8}]
                """, """
                profile: regression
                regression: {old: {select: previous}, new: "b:1", rounds: 2, worseBy: 5%, compare: latency,
                  load: {target: 100, ramp: 10s, hold: 1m}}
                """);
    }

    private static List<Error> mistakes(String yaml) {
        return SCHEMA.validate(YAMLMapper.builder().build().readTree(yaml).toString(), InputFormat.JSON);
    }

    @ParameterizedTest
    @MethodSource("plans")
    void what_the_reader_reads_fits_as_people_write_it_and_in_its_canonical_form(String plan)
            throws InvalidDocumentException {
        assertThat(mistakes(plan)).isEmpty();
        assertThat(mistakes(writer.write(reader.read(plan)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sut: {instance: \"a:1\"}\nprofil: capacity",
        "sut: {instance: \"a:1\"}\nprofile: capacities",
        "profile: capacity", "sut: {select: best}", "sut: {instance: \"a:1\"}\nlimits: {maxshare: 60%}",
        "sut: {instance: \"a:1\"}\nlimits: {maxShare: 0.6}", "sut: {instance: \"a:1\"}\nlimits: {window: 500}",
        "sut: {instance: \"a:1\"}\nlimits: {harmBudget: 2}", "sut: {instance: \"a:1\"}\nlimits: {maxRaise: 2}",
        "sut: {instance: \"a:1\"}\nprofile: load\nload: {hold: 20s}",
        "sut: {instance: \"a:1\"}\nprofile: load\nload: {target: 100, share: 20%}",
        "sut: {instance: \"a:1\"}\nprofile: breakpoint\nbreakpoint: {step: 2x}",
        "sut: {instance: \"a:1\"}\nnotify: [{slack: \"https://a.example/x\", target: pager}]",
        "sut: {instance: \"a:1\"}\nnotify: [{target: pager, on: [done]}]",
        "sut: {instance: \"a:1\"}\nschedule: {interval: 6h, missed: perhaps}",
        "sut: {instance: \"a:1\"}\nsafety: {approval: {}}", "sut: {instance: \"a:1\"}\nredirect: {mode: random}",
        "sut: {instance: \"a:1\"}\nredirect: {mode: hash, attribute: {header: a, cookie: b}}"})
    void what_the_schema_refuses_the_reader_refuses(String spec) {
        assertThat(mistakes(plan(spec))).as("schema").isNotEmpty();
        assertThatThrownBy(() -> reader.read(plan(spec))).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void every_field_of_the_schema_is_one_that_the_reader_knows() {
        Set<String> said = new HashSet<>();
        plans().map(YAMLMapper.builder().build()::readTree).forEach(plan -> collect(plan, said));
        List<String> fields = new ArrayList<>();
        DOCUMENT.findValues("properties").forEach(properties -> fields.addAll(properties.propertyNames()));

        assertThat(fields).hasSizeGreaterThan(60).allMatch(said::contains);
    }

    private static void collect(JsonNode node, Set<String> names) {
        names.addAll(node.propertyNames());
        node.forEach(child -> collect(child, names));
    }
}

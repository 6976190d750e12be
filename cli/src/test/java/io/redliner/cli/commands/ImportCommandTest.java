// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportCommandTest {

    private static final String SLO = """
            apiVersion: openslo/v1
            kind: SLO
            metadata: {name: web-%s}
            spec:
              service: web
              budgetingMethod: Occurrences
              timeWindow: [{duration: 28d, isRolling: true}]
            """;

    private static final String OBJECTIVES = SLO.formatted("availability") + """
              indicator:
                metadata: {name: errors}
                spec:
                  ratioMetric:
                    counter: true
                    bad:
                      metricSource:
                        type: Prometheus
                        spec: {query: 'sum(rate(http_requests_total{job="web",code=~"5.."}[5m]))'}
                    total:
                      metricSource:
                        type: prometheus
                        spec: {query: 'sum(rate(http_requests_total{job="web"}[5m]))'}
              objectives:
                - {displayName: usual, targetPercent: 99.9}
            ---
            """ + SLO.formatted("latency") + """
              indicatorRef: fast
              objectives:
                - {displayName: most, op: lte, value: 0.3, target: 0.98}
                - {displayName: strict, op: lt, value: 0.2, target: 0.5}
            ---
            apiVersion: openslo/v1
            kind: SLI
            metadata: {name: fast}
            spec:
              thresholdMetric:
                metricSource:
                  type: Prometheus
                  spec:
                    promql: histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m])))
            ---
            """ + SLO.formatted("under")
            + """
                      indicator:
                        metadata: {name: under}
                        spec:
                          ratioMetric:
                            good: {metricSource: {spec: {query: 'sum(rate(http_request_duration_seconds_bucket{le="0.5"}[5m]))'}}}
                            total: {metricSource: {spec: {query: 'sum(rate(http_request_duration_seconds_count[5m]))'}}}
                      objectives: [{target: 0.95}]
                    """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    private final StringWriter err = new StringWriter();

    private int run(String format, String text, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("file.yaml"), text);
        List<String> arguments = new ArrayList<>(List.of("import", format, file.toString()));
        arguments.addAll(List.of(options));
        return RedlinerCommand.commandLine(RedlinerCommand.VERBS).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute(arguments.toArray(String[]::new));
    }

    @Test
    void each_objective_of_openslo_that_can_be_judged_is_a_rule_of_a_plan() throws Exception {
        int code = run("openslo", OBJECTIVES);

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString()).isEqualTo("""
                  sla:
                    - {name: "web-availability", expr: "error_rate <= 0.001"}
                    - {name: "web-latency-most", expr: "latency.p99 <= duration('300ms')"}
                    - {name: "web-latency-strict", expr: "latency.p99 < duration('200ms')"}
                    - {name: "web-under", expr: "latency.p95 <= duration('500ms')"}
                """);
    }

    @Test
    void what_cannot_be_judged_is_named_with_its_line_and_the_rest_is_printed() throws Exception {
        int code = run("openslo", SLO.formatted("other") + """
                  indicator:
                    spec:
                      thresholdMetric: {metricSource: {type: Datadog, spec: {query: 'p99:trace.web'}}}
                  objectives:
                    - {op: lte, value: 0.3, target: 0.98}
                ---
                """ + SLO.formatted("lost") + """
                  indicatorRef: elsewhere
                  objectives:
                    - {target: 0.98}
                ---
                apiVersion: openslo/v2alpha1
                kind: SLO
                metadata: {name: newer}
                spec: {objectives: [{target: 0.9}]}
                """);

        assertThat(code).isEqualTo(98);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains(
                "file.yaml:12: web-other has queries for Datadog, and only Prometheus' are understood",
                "file.yaml:23: web-lost refers to the SLI elsewhere, which is not in this file",
                "file.yaml:25: newer is of the version 'openslo/v2alpha1', and only openslo/v1 is read");
    }

    @Test
    void alerting_rules_are_rules_and_recording_rules_are_looked_up() throws Exception {
        int code = run("prometheus-rules", """
                groups:
                  - name: web
                    rules:
                      - record: job:latency:p99
                        expr: histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m])))
                      - alert: Slow requests
                        expr: job:latency:p99 > 0.4
                        for: 10m
                      - alert: TargetDown
                        expr: up == 0
                      - alert: Slow again
                        expr: |
                          histogram_quantile(0.99,
                            sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) > 0.4
                """);

        assertThat(code).isEqualTo(98);
        assertThat(out.toString()).isEqualTo("""
                  sla:
                    - {name: "Slow-requests", expr: "latency.p99 <= duration('400ms')"}
                """);
        assertThat(err.toString()).endsWith("file.yaml:9: TargetDown compares with ==" + System.lineSeparator());
    }

    /** Returns an alert on the 99th percentile of some requests. */
    private static String alert(String name, String matchers, String limit) {
        return "  - alert: " + name + "\n    expr: histogram_quantile(0.99, sum by (le) "
                + "(rate(http_request_duration_seconds_bucket" + matchers + "[5m]))) > " + limit + "\n";
    }

    private static final String TWO_SERVICES = "groups:\n- rules:\n" + alert("Cart", "{job=\"cart\"}", "0.2")
            + alert("Search", "{app=\"search\",job=\"pods\"}", "2") + alert("Any", "", "3")
            + "  - {alert: CartDown, expr: 'up{job=\"cart\"} == 0'}\n"
            + "  - {alert: SearchDown, expr: 'up{job=\"search\"} == 0'}\n";

    @Test
    void objectives_of_several_services_make_no_common_sla() throws Exception {
        assertThat(run("prometheus-rules", TWO_SERVICES)).isEqualTo(2);
        assertThat(run("openslo", OBJECTIVES + "---\n" + OBJECTIVES.replace("service: web", "service: pay")))
                .isEqualTo(2);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains(
                "file.yaml has objectives of several services: cart, search. Choose one by --service NAME",
                "file.yaml has objectives of several services: web, pay. Choose one by --service NAME");
    }

    @Test
    void only_the_rules_of_the_chosen_service_are_taken() throws Exception {
        assertThat(run("prometheus-rules", TWO_SERVICES, "--service", "cart")).isEqualTo(98);

        assertThat(out.toString()).isEqualTo("""
                  sla:
                    - {name: "Cart", expr: "latency.p99 <= duration('200ms')"}
                """);
        assertThat(err.toString().lines()).hasSize(2).first().asString()
                .endsWith("file.yaml:7: Any names no service, and others than cart may be meant");
        assertThat(err.toString()).contains("CartDown").doesNotContain("SearchDown");
    }

    @Test
    void a_service_that_no_objective_names_is_a_mistake() throws Exception {
        assertThat(run("openslo", OBJECTIVES, "--service", "wbe")).isEqualTo(2);
        assertThat(err.toString()).contains("file.yaml has no objective of the service wbe; it has those of web");
        assertThat(run("openslo", OBJECTIVES, "--service", "web")).isZero();
    }

    @Test
    void a_recording_rule_of_several_expressions_is_not_judged() throws Exception {
        String quantile = "  - record: job:latency:quantile\n    labels: {quantile: '%1$s'}\n    expr: histogram_quantile("
                + "%1$s, sum by (le) (rate(http_request_duration_seconds_bucket[5m])))\n";

        int code = run("prometheus-rules",
                "groups:\n- rules:\n" + quantile.formatted("0.99") + quantile.formatted("0.5")
                        + "  - {alert: Slow, expr: 'job:latency:quantile > 1'}\n");

        assertThat(code).isEqualTo(98);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("Slow compares job:latency:quantile, which 2 different expressions record");
    }

    @Test
    void slices_of_time_without_a_target_of_their_own_are_not_judged() throws Exception {
        String slices = OBJECTIVES.substring(0, OBJECTIVES.indexOf("---")).replace("Occurrences", "Timeslices");

        assertThat(run("openslo", slices)).isEqualTo(98);
        assertThat(err.toString()).contains("is budgeted by Timeslices and has no timeSliceTarget");
        assertThat(out.toString()).isEmpty();
        assertThat(run("openslo", slices.replace("targetPercent: 99.9", "target: 0.5, timeSliceTarget: 0.99")))
                .isZero();
        assertThat(out.toString()).contains("error_rate <= 0.01");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"openslo | a: b | 104 | no document of the kind SLO",
        "openslo | a: [ | 104 | cannot be read", "openslo | `` | 104 | no document of the kind SLO",
        "prometheus-rules | a: b | 104 | has no groups", "datadog | a: b | 2 | datadog"})
    void a_file_of_another_kind_is_refused(String format, String text, int code, String message) throws Exception {
        assertThat(run(format, text)).isEqualTo(code);
        assertThat(err.toString()).contains(message);
        assertThat(out.toString()).isEmpty();
    }
}

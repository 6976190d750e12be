// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private int run(String format, String text) throws IOException {
        Path file = Files.writeString(folder.resolve("file.yaml"), text);
        return RedlinerCommand.commandLine(RedlinerCommand.VERBS).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute("import", format, file.toString());
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

// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LineOutputTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void the_99th_percentile_stands_beside_its_limit() {
        assertThat(line("latency.p99 <= duration('200ms')", 0.132, 0.2))
                .contains("requests/s  p99 132 ms of 200 ms  HOLDS");
    }

    @Test
    void an_sla_on_another_percentile_is_shown_beside_the_99th() {
        assertThat(line("latency.p95 <= duration('150ms')", 0.091, 0.15))
                .contains("requests/s  p99 132 ms  latency 91 ms of 150 ms  HOLDS");
    }

    private static String line(String expression, double value, double threshold) {
        FollowedRun run = new FollowedRun();
        run.snapshot(json("{\"phase\": \"Preparing\", \"submittedAt\": \"" + START + "\"}"));
        JsonNode decision = json("""
                {"sequence": 1, "phase": "Ramping", "askedShare": 0.31,
                 "window": {"startedAt": "%s", "lengthSeconds": 1, "judgement": "HOLDS", "requestsPerSecond": 212,
                  "shareMeasured": 0.312, "latencyP99Seconds": 0.132,
                  "rules": [{"name": "latency", "expression": "%s", "unit": "seconds", "guard": false,
                    "informational": false, "value": %s, "threshold": %s, "utilisation": %s}]}}""".formatted(START,
                expression, value, threshold, value / threshold));
        run.happened(decision);
        StringWriter printed = new StringWriter();
        new LineOutput(new PrintWriter(printed, true)).happened(decision, run, START.plusSeconds(2));
        return printed.toString();
    }

    private static JsonNode json(String text) {
        return new JsonMapper().readTree(text);
    }
}

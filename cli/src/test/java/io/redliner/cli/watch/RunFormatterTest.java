// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunFormatterTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:01:30Z");

    private static final JsonNode LIVE = new JsonMapper().readTree(
            """
                    {"id": "6cfe0e3a-1111-4222-8333-444444444444", "service": "profile-backend", "sut": "10.0.3.17:8080",
                     "profile": "capacity", "plan": "weekly", "phase": "Ramping", "submittedAt": "2026-01-01T00:00:00.123456789Z",
                     "askedShare": 0.31, "naturalShare": 0.1, "maxShare": 0.6, "harm": {"requests": 12, "allowed": 300, "used": 0.04},
                     "limit": {"at": "2026-01-01T00:05:00.987Z", "code": "MaxDuration"},
                     "window": {"startedAt": "2026-01-01T00:01:28Z", "estimate": {"capacity": 284, "low": 262, "high": 310}}}""");

    private static final JsonNode BOUND = new JsonMapper().readTree("""
            {"id": "r3", "service": "cart", "sut": "b:1", "profile": "capacity", "phase": "Finished", "plan": "weekly",
             "submittedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:01:00Z",
             "result": {"capacity": 400, "low": 388, "high": 412, "lowerBound": true}}""");

    private static final JsonNode PENDING = new JsonMapper().readTree("""
            {"id": "r2", "service": "cart", "sut": "b:1", "profile": "smoke", "phase": "Pending",
             "submittedAt": "2026-01-01T00:01:25Z", "askedShare": 0.1}""");

    @Test
    void live_runs_have_their_estimate_the_time_elapsed_and_the_time_left() {
        List<String> lines = new RunFormatter(TextLayout.UNLIMITED).live(List.of(LIVE, PENDING), NOW);

        assertThat(lines.get(0)).containsPattern("PHASE +SHARE +ESTIMATE +ELAPSED +LEFT +HARM OF BUDGET");
        assertThat(lines.get(1)).endsWith("Ramping   31.0 %   284 (262 to 310)   1:30      3:30   4.0 %");
        assertThat(lines.get(2)).containsPattern("Pending +10.0 % +- +0:05 +- +-$");
    }

    @Test
    void a_lower_bound_is_the_lower_end_of_its_interval() {
        String words = String.join("\n", new RunFormatter(TextLayout.UNLIMITED).details(BOUND, NOW));

        assertThat(words).contains("at least 388 requests/s").doesNotContain("400", "412");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 80})
    void a_narrow_terminal_gets_all_of_it_within_its_columns(int width) {
        RunFormatter formatter = new RunFormatter(new TextLayout(width));

        List<String> lines = formatter.live(List.of(LIVE, PENDING), NOW);

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Math.max(width, 45)));
        assertThat(String.join("\n", lines)).contains("6cfe0e3a-1111-4222-8333-444444444444", "profile-backend",
                "10.0.3.17:8080", "Ramping", "estimate 284 (262 to 310)", "elapsed 1:30", "left 3:30", "4.0 %");
    }

    @Test
    void one_live_run_says_its_times_and_its_estimate_and_no_nanoseconds() {
        assertThat(new RunFormatter(TextLayout.UNLIMITED).details(LIVE, NOW)).contains(
                "Elapsed 1:30, left at most 3:30", "Estimate so far: 284 requests/s (95 %: 262 to 310)",
                "Submitted 2026-01-01T00:00:00Z");
        assertThat(new RunFormatter(TextLayout.UNLIMITED).details(PENDING, NOW))
                .contains("Elapsed 0:05, left at most -", "Estimate so far: none yet");
    }
}

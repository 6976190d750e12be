// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DemoResultTest {

    private static DemoResult of(String outcome, String result) {
        return DemoResult.of(
                JsonMapper.shared()
                        .readTree("""
                                {"outcome": "%s", "stopReason": {"code": "CapacityFound", "detail": ""}, "exitCode": 0,
                                 "submittedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:02:32.4Z",
                                 "harm": {"requests": 12.4, "allowed": 2900}, "restore": {"seconds": 0.07}%s}"""
                                .formatted(outcome, result)),
                286);
    }

    @Test
    void what_was_measured_stands_beside_what_is_so_by_construction() {
        assertThat(of("CAPACITY_FOUND", ", \"result\": {\"capacity\": 281.2, \"low\": 275, \"high\": 290}").lines())
                .containsExactly("By construction 286 requests/s; measured -1.7 %", "The run took 152 s");
    }

    @Test
    void a_lower_bound_is_no_error_and_no_failure() {
        assertThat(of("TRAFFIC_EXHAUSTED",
                ", \"result\": {\"capacity\": 281.2, \"low\": 275, \"high\": 290, \"lowerBound\": true}").lines())
                .contains("By construction 286 requests/s");
    }

    @Test
    void a_capacity_and_a_lower_bound_are_answers() {
        assertThat(of("CAPACITY_FOUND", ", \"result\": {\"capacity\": 281.2}").answered()).isTrue();
        assertThat(of("TRAFFIC_EXHAUSTED", ", \"result\": {\"capacity\": 281.2, \"lowerBound\": true}").answered())
                .isTrue();
        assertThat(of("INCONCLUSIVE", "").answered()).isFalse();
    }

    @Test
    void without_a_result_nothing_was_found() {
        assertThat(of("INCONCLUSIVE", "").lines()).contains("By construction 286 requests/s, and nothing was found");
    }
}

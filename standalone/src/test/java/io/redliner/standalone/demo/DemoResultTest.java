// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DemoResultTest {

    private static DemoResult of(String outcome, String result) {
        return DemoResult.of(
                JsonMapper.shared()
                        .readTree(
                                """
                                        {"outcome": "%s", "naturalShare": 0.25, "stopReason": {"code": "CapacityFound", "detail": ""}, "exitCode": 0,
                                         "submittedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:02:32.4Z",
                                         "harm": {"requests": 12.4, "allowed": 2900}, "restore": {"seconds": 0.07}%s}"""
                                        .formatted(outcome, result)),
                286);
    }

    @Test
    void the_answer_is_a_sentence_and_a_picture_beside_what_is_so_by_construction() {
        assertThat(of("CAPACITY_FOUND", ", \"result\": {\"capacity\": 271.2, \"low\": 205, \"high\": 300}").lines())
                .containsExactly("",
                        "The instance takes 271 requests/s (95 %: 205 to 300).",
                        "By construction it takes 286: the answer is off by -5.2 %. The run took 152 s.",
                        "",
                        "requests/s          |         50       100       150       200       250       300",
                        "natural load    175 |                                   o",
                        "measured        271 |                                         [------------*-----]",
                        "by construction 286 |                                                         ^");
    }

    @Test
    void a_lower_bound_is_no_error_and_no_failure() {
        assertThat(of("TRAFFIC_EXHAUSTED",
                ", \"result\": {\"capacity\": 281.2, \"low\": 275, \"high\": 290, \"lowerBound\": true}").lines())
                .contains("By construction the instance takes 286 requests/s. The run took 152 s.")
                .noneMatch(line -> line.startsWith("measured"));
    }

    @Test
    void the_picture_is_of_any_loads() {
        for (double capacity : new double[]{0.7, 9, 99, 1_000, 123_456}) {
            var lines = CapacityPicture.lines(0,
                    new DemoResult.Found(capacity, 0.9 * capacity, 1.3 * capacity, "latency", List.of()), capacity);
            assertThat(lines).hasSize(4).allMatch(line -> line.length() <= 120);
            assertThat(lines.get(2).indexOf('*')).isEqualTo(lines.get(3).indexOf('^'));
        }
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
        assertThat(of("INCONCLUSIVE", "").lines())
                .contains("By construction the instance takes 286 requests/s; nothing was found. The run took 152 s.");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DemoResultTest {

    private static DemoResult result(String doubts) {
        return DemoResult.of(JsonMapper.shared().readTree(
                """
                        {"outcome": "CAPACITY_FOUND", "stopReason": {"code": "CapacityFound", "detail": ""}, "exitCode": 0,
                         "bottleneck": [{"resource": "THREAD_OR_CONNECTION_POOL", "strength": 0.63, "words": "a pool was full"},
                                        {"resource": "CPU", "strength": 0.2, "words": "so was the CPU"}],
                         "harm": {"requests": 12.4, "allowed": 2900}, "restore": {"seconds": 0.07},
                         "result": {"capacity": 281.2, "low": 275, "high": 290, "lowerBound": false, "limitingRule": "latency",
                                    "doubts": %s}}"""
                        .formatted(doubts)),
                286, 152);
    }

    @Test
    void a_doubt_stands_beside_the_number() {
        assertThat(result("[\"collector\", \"host\"]").lines()).contains(
                "Capacity         281 req/s   (interval 275 to 290, limited by latency), doubtful: collector, host");
    }

    @Test
    void the_fullest_resource_is_told_with_its_evidence() {
        assertThat(result("[]").lines()).contains("Bottleneck       THREAD_OR_CONNECTION_POOL: a pool was full")
                .noneMatch(line -> line.contains("CPU"));
    }

    @Test
    void without_a_doubt_nothing_does() {
        assertThat(result("[]").lines()).contains(
                "Capacity         281 req/s   (interval 275 to 290, limited by latency)",
                "By construction  286 req/s   (measured -1.7 %)");
    }
}

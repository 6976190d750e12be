// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DemoResultTest {

    private static DemoResult result(String doubts) {
        return DemoResult.of(JsonMapper.shared().readTree("""
                {"outcome": "CAPACITY_FOUND", "stopReason": {"code": "CapacityFound", "detail": ""}, "exitCode": 0,
                 "harm": {"requests": 12.4, "allowed": 2900}, "restore": {"seconds": 0.07},
                 "result": {"capacity": 281.2, "low": 275, "high": 290, "lowerBound": false, "limitingRule": "latency",
                            "doubts": %s}}""".formatted(doubts)), 286, 152);
    }

    @Test
    void a_doubt_stands_beside_the_number() {
        assertThat(result("[\"collector\", \"host\"]").lines()).contains(
                "Capacity         281 req/s   (interval 275 to 290, limited by latency), doubtful: collector, host");
    }

    @Test
    void without_a_doubt_nothing_does() {
        assertThat(result("[]").lines()).contains(
                "Capacity         281 req/s   (interval 275 to 290, limited by latency)",
                "By construction  286 req/s   (measured -1.7 %)");
    }
}

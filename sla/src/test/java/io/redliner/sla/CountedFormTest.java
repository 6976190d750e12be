// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static io.redliner.sla.Windows.latencies;
import static io.redliner.sla.Windows.measurements;
import static io.redliner.sla.Windows.window;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountedFormTest {

    private final RuleCompiler compiler = new RuleCompiler();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "0.02 / error_rate >= 1                             | error_rate <= 0.02",
        "1 < 0.02 / error_rate                              | error_rate < 0.02",
        "!(0.03 / (2 * error_rate) <= 3)                    | error_rate < 0.005",
        "1 - 0.02 / error_rate <= 0                         | error_rate <= 0.02",
        "duration('1s') / latency.p99 >= 5.0                | latency.p99 <= duration('200ms')",
        "latency.p99 / peers.latency.p99 <= 1.2             | latency.p99 <= 1.2 * peers.latency.p99",
        "peers.latency.p99 / latency.p99 >= 0.8             | latency.p99 <= peers.latency.p99 / 0.8",
        "latency.p99 - peers.latency.p99 <= duration('2.5s') | latency.p99 <= duration('2.5s') + peers.latency.p99",
        "peers.latency.p90 - latency.p90 >= duration('1ms') | latency.p90 <= peers.latency.p90 - duration('1ms')",
        "error_rate / peers.error_rate <= 2                 | error_rate <= 2 * peers.error_rate",
        "(error_rate - peers.error_rate) / 2 <= 0.01        | error_rate <= 0.02 + peers.error_rate",
        "latency.p99 / (latency.p50 + duration('1500us')) <= 3 | latency.p99 <= 3 * (latency.p50 + duration('1.5ms'))",
        "qps * latency.p99 <= duration('20s')               | latency.p99 <= duration('20s') / qps",
        "0.02 / error_rate >= 1 && latency.p99 < duration('1s') | error_rate <= 0.02 && latency.p99 < duration('1s')"})
    void a_level_is_turned_round_to_a_limit_that_requests_are_counted_against(String level, String counted) {
        var rule = compiler.compile("level", level, false);

        assertThat(rule.counted()).isFalse();
        assertThat(rule.countedForm()).hasValue(counted);
        var turned = compiler.compile("counted", counted, false);
        assertThat(turned.counted()).isTrue();
        for (long exceeding = 1; exceeding <= 120; exceeding++) {
            var sut = window(latencies(1000 - exceeding, 100, exceeding, 300), exceeding);
            var measured = measurements(Scope.SUT, sut, Scope.PEERS, window(latencies(1000, 120), 10));
            assertThat(turned.evaluate(measured).judgement()).as("%s failed", exceeding)
                    .isEqualTo(rule.evaluate(measured).judgement());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu <= 0.9", "latency.mean <= duration('1s')", "error_rate >= 0.01",
        "error_rate <= 0.01 || cpu <= 0.9", "0.02 / error_rate >= 1 && cpu <= 0.9", "error_rate / custom['part'] <= 1",
        "latency.p99 / (latency.p50 - duration('1s')) <= 3", "peers.latency.p99 / latency.p99 <= 0.8",
        "custom['a'] / custom['b'] <= 3", "error_rate * error_rate <= 0.01"})
    void what_no_requests_can_be_counted_against_stays_a_level(String level) {
        assertThat(compiler.compile("level", level, false).countedForm()).isEmpty();
    }

    @Test
    void a_rule_that_is_counted_needs_no_other_form() {
        assertThat(compiler.compile("counted", "error_rate <= 0.02", false).countedForm()).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static io.redliner.sla.Windows.latencies;
import static io.redliner.sla.Windows.measurements;
import static io.redliner.sla.Windows.window;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
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

    @ParameterizedTest
    @ValueSource(strings = {"duration('1s') / (latency.p99 - duration('1h')) >= 1e-9",
        "error_rate / peers.qps <= 1e20", "0.0 / error_rate > 0.0",
        "(latency.p99 - peers.latency.p99) / duration('1ms') <= -4.0",
        "error_rate * duration('1s') / latency.p50 <= 1.0", "qps * latency.p99 / duration('1us') <= 0.1",
        "latency.p99 - peers.latency.p99 * 1e-300 <= duration('1s') && error_rate / peers.qps <= 1e-300"
                + " && timeout_rate / peers.qps <= 1e-300 && error_rate / qps <= 1e-300"})
    void a_form_that_would_be_refused_or_mean_something_else_is_not_advised(String level) {
        assertThat(compiler.compile("level", level, false).countedForm()).isEmpty();
    }

    @Test
    void every_form_that_is_advised_is_accepted() {
        int advised = 0;
        for (var value : List.of("%s / latency.p99", "latency.p99 / %s", "latency.p99 / (2 * %s)",
                "%s / (3 * ttfb.p50)",
                "(latency.p99 - peers.latency.p99) / %s", "qps * latency.p50 / %s", "latency.max / (latency.p50 + %s)",
                "error_rate * %s / latency.p50", "error_rate * latency.p90 / %s", "%s / error_rate / latency.p50",
                "error_rate / (qps * 1e9)", "cancel_rate - custom[\"it's\"]", "1 - 0.02 / error_rate",
                "0.0 / error_rate",
                "1e300 / (1e-300 * latency.p99 / %s)", "duration('0s') / latency.p99", "%s / qps / ttfb.p90")) {
            for (var unit : List.of("duration('1us')", "duration('1s')", "duration('23h')")) {
                for (var limit : List.of(">= 1e-300", ">= 1e-9", "<= 0.1", ">= 1.0", "<= 3.0", "<= -4.0", "<= 1e9",
                        ">= 1e9", "<= 1e20", "<= 1e300", "> 0.0", "< 0.0")) {
                    var form = form(value.formatted(unit) + " " + limit);
                    form.ifPresent(text -> assertThat(compiler.compile("counted", text, false).counted()).isTrue());
                    advised += form.isPresent() ? 1 : 0;
                }
            }
        }
        assertThat(advised).isGreaterThan(50);
    }

    private Optional<String> form(String level) {
        try {
            return compiler.compile("level", level, false).countedForm();
        } catch (InvalidRuleException e) {
            return Optional.empty();
        }
    }

    @Test
    void a_rule_that_is_counted_needs_no_other_form() {
        assertThat(compiler.compile("counted", "error_rate <= 0.02", false).countedForm()).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleCompilerTest {

    private final RuleCompiler compiler = new RuleCompiler();

    @ParameterizedTest
    @ValueSource(strings = {"latency.p99 <= duration('200ms')", "error_rate <= 0.001",
        "latency.p99 <= 1.5 * peers.latency.p99", "service.error_rate <= 0.01",
        "latency.mean < duration('1m30s') && !(cpu > 0.8) || baseline.qps >= 100", "custom['queue.depth'] <= 100",
        "peers.custom['queue'] * 2 > custom['queue']", "latency.p999 <= latency.p50 * 10",
        "latency.p99 <= peers.latency.p99 + duration('5ms')", "latency.p99 / peers.latency.p99 <= 2",
        "gc.pause <= duration('50ms') && gc.rate <= 1 && threads.blocked <= 3 && net.tx + net.rx <= 1e9",
        "net.link <= 0.8 && disk.busy <= 0.9 && memory <= 0.9 && timeout_rate <= 0.001 && overdue <= 0"})
    void rules_of_the_language_are_accepted(String expression) {
        var rule = compiler.compile("rule", expression, true);

        assertThat(rule.expression()).isEqualTo(expression);
        assertThat(rule.informational()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "latency.p99 <= 200                 | 1 | 13 | duration('200ms')",
        "latency.p99 <= 200ms               | 1 | 16 | duration('200ms')",
        "error_rate <= 0.1%                 | 1 | 15 | 0.001",
        "latency.p98 <= duration('1s')      | 1 |  1 | did you mean latency.p9",
        "qps >= 1 && eror_rate <= 1.0       | 1 | 13 | error_rate",
        "latency.p99                        | 1 |  8 | compare it with a limit",
        "latency.p99 <= duration('200 ms')  | 1 | 25 | as 250ms, 0.5s",
        "latency.p99 <= duration('fast')    | 1 | 25 | as 250ms, 0.5s",
        "latency.p99 <= duration('inf')     | 1 | 25 | is no duration",
        "latency.p99 <= duration('-5s')     | 1 | 25 | is no duration",
        "latency.p99 <= duration('500ns')   | 1 | 25 | finer than a microsecond",
        "latency.p99 <= duration('0s')      | 1 | 24 | longer than nothing",
        "2.0 * latency.p99 <= duration('1us') | 1 | 30 | 1us or more",
        "latency.p99 <= duration('1000h')    | 1 | 24 | at most 24h, as no run takes longer: this one comes to 1000h",
        "latency.p99 / 1e9 <= duration('1s') | 1 | 30 | comes to 277778h",
        "duration('25h') >= latency.p50      | 1 | 9  | comes to 25h",
        "latency.p99 - duration('24h') <= duration('1h') | 1 | 42 | comes to 25h",
        "peers.latency.p99 * 0.01 <= duration('20m')    | 1 | 37 | comes to 33h",
        "custom['x'] / 0.0 <= 1.0            | 1 | 15 | divided by 0",
        "custom['x'] / 0 <= 1.0              | 1 | 15 | divided by 0",
        "cpu > 0.5 && 1.0 / (0 * cpu) >= 2.0 | 1 | 23 | divided by 0",
        "cpu / (1.5 - 1.5) <= 1.0            | 1 | 12 | divided by 0",
        "cpu <= 0.0 / 0.0                    | 1 | 14 | divided by 0",
        "latency.p99 / duration('0s') <= 1.0 | 1 | 23 | divided by 0",
        "cpu <= 1e308 * 10 - 1e308 * 10      | 1 | 14 | larger than any number",
        "latency.p99 <=                     | 1 | 15 | mismatched input",
        "cpu <= 'high'                      | 1 |  5 | double, string",
        "cpu == 0.8                         | 1 |  5 | <=, <, >= or >",
        "1 < 2                              | 1 |  3 | two constants",
        "true                               | 1 |  1 | a comparison is needed",
        "cpu > 0.5 ? qps > 1 : qps > 2      | 1 | 11 | not part of the rule language",
        "[cpu].exists(x, x > 0.5)           | 1 | 13 | not part of the rule language",
        "custom > 1                         | 1 |  8 | does not work",
        "cpu <= 3 / 4                       | 1 | 10 | 3.0 / 2.0"})
    void what_cannot_be_used_is_refused_with_its_place_and_what_to_do(String expression, int line, int column,
            String message) {
        var refusal = refusal(expression);

        assertThat(refusal).hasMessageContaining(message);
        assertThat(refusal.rule()).isEqualTo("rule");
        assertThat(refusal.line()).isEqualTo(line);
        assertThat(refusal.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', value = {
        "latency.p99 >= duration('0s')             ; 1 ; 13 ; latency.p99 is never below 0",
        "latency.p99 < duration('0s')              ; 1 ; 13 ; latency.p99 is never below 0",
        "error_rate <= 1                           ; 1 ; 12 ; error_rate is never above 1",
        "error_rate < 0                            ; 1 ; 12 ; error_rate is never below 0",
        "!(timeout_rate > 1.0)                     ; 1 ; 16 ; timeout_rate is never above 1",
        "qps >= 0                                  ; 1 ;  5 ; qps is never below 0",
        "cpu + memory >= 0 && qps > 1              ; 1 ; 14 ; the calculated side is never below 0",
        "2 * error_rate - 1 <= 1                   ; 1 ; 20 ; is never above 1",
        "cpu <= 0.8 || error_rate >= 1.1           ; 1 ; 26 ; error_rate is never above 1",
        "latency.p50 <= latency.p99                ; 1 ; 13 ; latency.p50 is never above latency.p99",
        "peers.latency.max < peers.latency.mean    ; 1 ; 19 ; never below",
        "cpu <= cpu                                ; 1 ;  5 ; both sides are the same",
        "cpu <= -1 / 2.0                           ; 1 ;  5 ; cpu is never below 0"})
    void a_comparison_that_comes_out_the_same_whatever_is_measured_is_refused(String expression, int line, int column,
            String message) {
        var refusal = refusal(expression);

        assertThat(refusal).hasMessageContaining(message).hasMessageContaining("set a limit that can be");
        assertThat(refusal.line()).isEqualTo(line);
        assertThat(refusal.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @ValueSource(strings = {"latency.p99 <= duration('200ms') && latency.p99 >= duration('100ms')",
        "latency.p99 >= duration('200ms') && latency.p50 <= duration('100ms')", "cpu <= 0.5 && cpu >= 0.5",
        "cpu <= 0.5 || cpu >= 0.6", "latency.p50 >= latency.p99", "custom['delta'] >= 0", "custom['delta'] < 0",
        "error_rate <= 0 || error_rate >= 1", "cpu <= 1", "latency.p99 <= duration('1s') && peers.cpu >= 0.1",
        "latency.p99 / latency.p50 >= 0.5", "cpu - memory >= 0", "(cpu - memory) / (qps - net.tx) <= 3",
        "cpu < 0.5 && memory > 0.6 || cpu > 0.6 && memory < 0.5", "cpu <= 2 * cpu"})
    void a_rule_each_comparison_of_which_can_hold_and_can_break_is_accepted(String expression) {
        assertThat(compiler.compile("rule", expression, false).expression()).isEqualTo(expression);
    }

    @Test
    void a_rule_that_costs_too_much_is_refused_although_it_is_short_enough() {
        String dear = "latency.p99" + " + latency.p99".repeat(19) + " <= duration('20s')";

        assertThat(dear).hasSizeLessThan(1000);
        assertThat(refusal(dear)).hasMessage("the rule costs 1021 steps in every window, more than the 1000 allowed"
                + " (a latency costs 50): split it into several rules");
    }

    @Test
    void the_line_is_counted_in_rules_of_several_lines() {
        var refusal = refusal("cpu <= 0.8\n  && speed > 3.0");

        assertThat(refusal.line()).isEqualTo(2);
        assertThat(refusal.column()).isEqualTo(6);
    }

    @Test
    void long_deep_and_wide_rules_are_refused() {
        assertThat(refusal("cpu <= 0.8".repeat(101))).hasMessageContaining("characters");
        assertThat(refusal("(".repeat(100) + "cpu" + ")".repeat(100) + " <= 1.0")).hasMessageContaining("recursion");
        assertThat(refusal("cpu <= 1.0" + " && cpu <= 1.0".repeat(16))).hasMessageContaining("comparisons");
        assertThat(refusal(" ")).hasMessageContaining("empty");
    }

    @Test
    void latency_limits_are_the_constants_that_percentiles_are_compared_with() {
        var rule = compiler.compile("rule", "latency.p99 <= duration('200ms') && duration('1s') >= peers.latency.max"
                + " && !(latency.p50 > 2 * duration('50ms')) && latency.p99 <= peers.latency.p99"
                + " && latency.mean <= duration('3s') && latency.p95 <= duration('200ms')", false);

        assertThat(rule.latencyLimits()).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200),
                Duration.ofSeconds(1));
    }

    private InvalidRuleException refusal(String expression) {
        return catchThrowableOfType(InvalidRuleException.class, () -> compiler.compile("rule", expression, false));
    }
}

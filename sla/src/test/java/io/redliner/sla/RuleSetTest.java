// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleSetTest {

    private final RuleCompiler compiler = new RuleCompiler();

    private final RuleSet rules = new RuleSet();

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', value = {
        "latency.p99 <= duration('100ms')            ; latency.p99 >= duration('200ms')",
        "latency.p99 <= duration('100ms')            ; latency.p50 > duration('200ms') && cpu < 0.5",
        "cpu < 0.5 || cpu > 0.9                      ; cpu >= 0.6 && cpu <= 0.8",
        "cpu >= 0.6 && cpu <= 0.8                    ; cpu < 0.5 || cpu > 0.9",
        "latency.p99 <= 2 * peers.latency.p99        ; latency.p99 > 2 * peers.latency.p99"})
    void rules_that_cannot_both_hold_are_refused_naming_both(String first, String second) {
        add("first", first);

        assertThatThrownBy(() -> add("second", second)).isInstanceOf(InvalidRuleException.class)
                .hasMessageContaining("contradicts rule 'first' (" + first + ")").hasMessageContaining("change a limit")
                .extracting(refusal -> ((InvalidRuleException) refusal).rule()).isEqualTo("second");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', value = {
        "latency.p99 <= duration('100ms')            ; latency.p99 <= duration('50ms')",
        "latency.p99 <= duration('100ms')            ; peers.latency.p99 >= duration('200ms')",
        "latency.p50 <= duration('100ms')            ; latency.p99 >= duration('200ms')",
        "cpu <= 0.5 || memory >= 0.5                 ; cpu >= 0.6 || memory <= 0.4"})
    void rules_that_can_both_hold_are_taken(String first, String second) {
        add("first", first);

        assertThatCode(() -> add("second", second)).doesNotThrowAnyException();
    }

    @Test
    void informational_rules_may_contradict() {
        add("first", "latency.p99 <= duration('100ms')");

        assertThatCode(() -> rules.add(compiler.compile("only to look at", "latency.p99 >= duration('200ms')", true)))
                .doesNotThrowAnyException();
        assertThatCode(() -> add("third", "latency.p99 >= duration('50ms')")).doesNotThrowAnyException();
    }

    @Test
    void a_plan_whose_rules_cost_too_much_together_is_refused() {
        String dear = "latency.p99" + " + latency.p99".repeat(18) + " <= duration('20s')";
        for (int i = 0; i < 4; i++) {
            add("rule" + i, dear);
        }

        assertThatThrownBy(() -> add("last", dear)).hasMessageContaining("more than the 4000 allowed");
    }

    @Test
    void a_plan_of_too_many_rules_is_refused() {
        for (int i = 0; i < 50; i++) {
            add("rule" + i, "cpu <= 0.8");
        }

        assertThatThrownBy(() -> add("last", "cpu <= 0.8")).hasMessageContaining("at most 50 rules");
    }

    private void add(String name, String expression) {
        rules.add(compiler.compile(name, expression, false));
    }
}

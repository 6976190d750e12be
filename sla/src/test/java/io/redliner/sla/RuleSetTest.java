// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RuleSetTest {

    private final RuleCompiler compiler = new RuleCompiler();

    private final RuleSet rules = new RuleSet();

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

    /** A collector refuses a run that has more of them, and the run would wait for windows that never come. */
    @Test
    void a_plan_of_more_latency_limits_than_a_collector_counts_against_is_refused() {
        for (int i = 0; i < 32; i++) {
            add("rule" + i,
                    "latency.p99 <= duration('%dms') || latency.p50 <= duration('%dms')".formatted(100 + i, 10 + i));
        }
        add("the same limits", "latency.p95 <= duration('100ms')");

        assertThatThrownBy(() -> add("last", "latency.p99 <= duration('9ms')"))
                .hasMessageContaining("64 latency limits");
    }

    private void add(String name, String expression) {
        rules.add(compiler.compile(name, expression, false));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.RuleCompiler;
import org.junit.jupiter.api.Test;

class DriftMetricTest {

    @Test
    void what_an_endurance_run_looks_at_are_rules_that_compile_and_are_never_acted_on() {
        RuleCompiler compiler = new RuleCompiler();

        assertThat(DriftMetric.rules()).isNotEmpty().allSatisfy(rule -> {
            assertThat(rule.informational()).isTrue();
            assertThat(compiler.compile(rule.name(), rule.expression(), true).name()).isEqualTo(rule.name());
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.scene.Scene;
import io.redliner.sla.RuleCompiler;
import org.junit.jupiter.api.Test;

class SubmitRunRequestTest {

    private static final String PLAN = Scene.plan("shop", "weekly");

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private SubmitRunRequest read(String text) throws InvalidPlanException {
        return SubmitRunRequest.read(text, reader);
    }

    @Test
    void an_order_names_a_plan_or_holds_one_or_is_one() throws InvalidPlanException {
        assertThat(read("{\"plan\": \"weekly\"}")).isEqualTo(new SubmitRunRequest.Named("weekly"));
        assertThat(read(PLAN)).isInstanceOf(SubmitRunRequest.Inline.class);
        assertThat(read("plan:\n" + PLAN.indent(2))).isInstanceOf(SubmitRunRequest.Inline.class);
        assertThatThrownBy(() -> read("{\"plan\": \"weekly\", \"when\": \"now\"}"))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("$.when");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.scene.Scene;
import io.redliner.sla.RuleCompiler;
import org.junit.jupiter.api.Test;

class SubmitRunRequestReaderTest {

    private static final String PLAN = Scene.plan("shop", "weekly");

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private String nameOfPlan(String text) throws InvalidDocumentException {
        return RunResource.SubmitRunRequestReader.read(text, reader, name -> Scene.plan("shop", "stored-" + name))
                .name();
    }

    @Test
    void an_order_names_a_plan_or_holds_one_or_is_one() throws InvalidDocumentException {
        assertThat(nameOfPlan("{\"plan\": \"weekly\"}")).isEqualTo("stored-weekly");
        assertThat(nameOfPlan(PLAN)).isEqualTo("weekly");
        assertThat(nameOfPlan("plan:\n" + PLAN.indent(2))).isEqualTo("weekly");
        assertThatThrownBy(() -> nameOfPlan("{\"plan\": \"weekly\", \"when\": \"now\"}"))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("$.when");
    }
}

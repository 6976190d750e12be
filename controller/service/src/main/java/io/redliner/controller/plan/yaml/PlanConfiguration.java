// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.sla.RuleCompiler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires reading and writing of plans. */
@Configuration(proxyBeanMethods = false)
class PlanConfiguration {

    @Bean
    RuleCompiler ruleCompiler() {
        return new RuleCompiler();
    }

    @Bean
    PlanReader planReader(RuleCompiler compiler) {
        return new PlanReader(compiler);
    }

    @Bean
    PlanWriter planWriter() {
        return new PlanWriter();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.sla.RuleCompiler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires reading and writing of plans. */
@Configuration(proxyBeanMethods = false)
class SubmissionConfiguration {

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

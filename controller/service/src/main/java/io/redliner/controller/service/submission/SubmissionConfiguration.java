// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.run.StartPolicy;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.ExecutionProperties;
import io.redliner.controller.service.execution.KillSwitchService;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.execution.RunExecutor;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.RolloutRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.sla.RuleCompiler;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires reading and writing of plans, and the submission of runs. */
@Configuration(proxyBeanMethods = false)
@Import({RuleCompiler.class, PlanReader.class, PlanWriter.class})
@EnableConfigurationProperties(ConcurrencyProperties.class)
class SubmissionConfiguration {

    @Bean
    StartPolicy startPolicy(ConcurrencyProperties properties) {
        return properties.startPolicy();
    }

    @Bean
    RunSubmissionService runSubmission(ServiceCatalog catalog, RunRepository runs, RunExecutor executor,
            RunCommands commands, PlanWriter writer,
            CapacityRepository capacities, ConcurrencyProperties concurrency, ExecutionProperties properties,
            InstantSource clock, List<PlanValidator> checks, InstanceFactsRepository facts, RolloutRepository rollouts,
            PeakTrafficRepository peaks, RunReadRepository runReads, KillSwitchService killSwitchService) {
        KnownCapacityResolver knownCapacityResolver = new KnownCapacityResolver(capacities, facts, writer, clock);
        return new RunSubmissionService(catalog, runs, executor, commands, writer, capacities, concurrency,
                properties.times(), new StepPlanResolver(capacities, knownCapacityResolver, runReads, peaks, clock),
                knownCapacityResolver, clock, checks, new SutResolver(facts, rollouts), killSwitchService);
    }
}

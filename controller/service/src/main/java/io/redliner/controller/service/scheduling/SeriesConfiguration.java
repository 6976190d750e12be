// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.execution.RunExecutor;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.SeriesRepository;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires series of runs. */
@Configuration(proxyBeanMethods = false)
@Import({SeriesRepository.class, SeriesService.class})
@EnableConfigurationProperties(SeriesProperties.class)
class SeriesConfiguration {

    @Bean
    SeriesExecutor seriesRunner(SeriesRepository repository, RunSubmissionService submission, RunExecutor executor,
            RunReadRepository runs,
            RunCommands commands, InstanceFactsRepository facts, PlanReader reader, PlanWriter writer,
            InstantSource clock, SeriesProperties properties, WorkerScheduler scheduler) {
        return new SeriesExecutor(repository, submission, executor, runs, commands, facts, reader, writer, clock,
                properties.every(), scheduler);
    }
}

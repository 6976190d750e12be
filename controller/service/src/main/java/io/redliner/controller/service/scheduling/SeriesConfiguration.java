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
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires series of runs. */
@Configuration(proxyBeanMethods = false)
@Import({SeriesRepository.class, SeriesService.class})
@EnableConfigurationProperties(SeriesConfiguration.SeriesProperties.class)
class SeriesConfiguration {

    @Bean
    SeriesExecutor seriesRunner(SeriesRepository repository, RunSubmissionService submission, RunExecutor executor,
            RunReadRepository runs,
            RunCommands commands, InstanceFactsRepository facts, PlanReader reader, PlanWriter writer,
            InstantSource clock, SeriesProperties properties, WorkerScheduler scheduler) {
        return new SeriesExecutor(repository, submission, executor, runs, commands, facts, reader, writer, clock,
                properties.every(), scheduler);
    }

    /**
     * The settings of series of runs.
     *
     * @param every interval of the check whether a run is over and the next one can begin, above 0
     */
    @ConfigurationProperties("redliner.controller.series")
    record SeriesProperties(@DefaultValue("1s") Duration every) {

        /** @throws IllegalArgumentException when it is not above 0 */
        public SeriesProperties {
            if (!every.isPositive()) {
                throw new IllegalArgumentException("redliner.controller.series.every is above 0");
            }
        }
    }
}

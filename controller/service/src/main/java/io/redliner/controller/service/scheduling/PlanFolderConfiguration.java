// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.persistence.PlanRepository;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the plan folder. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PlanFolderProperties.class)
class PlanFolderConfiguration {

    @Bean
    PlanFolderPoller planFolder(PlanFolderProperties properties, PlanReader reader, PlanWriter writer,
            PlanRepository plans, CalendarRepository calendars, CalendarLookup lookup, CalendarService calendarService,
            PlatformTransactionManager transactions, InstantSource clock, MeterRegistry meters,
            WorkerScheduler scheduler) {
        PlanFolderSynchronizer synchronizer = new PlanFolderSynchronizer(plans, writer, calendars, calendarService,
                new TransactionTemplate(transactions), clock);
        PlanFolderPoller folder = new PlanFolderPoller(properties,
                new PlanFolderValidator(reader, calendars, lookup, clock), synchronizer, clock, scheduler);
        Gauge.builder("redliner.plan.folder.problems", folder, one -> one.status().problems().size())
                .description("Mistakes because of which files of the plan folder are not taken over")
                .register(meters);
        return folder;
    }

    @Bean
    PlanFolderHealthIndicator folderHealth(PlanFolderPoller folder) {
        return new PlanFolderHealthIndicator(folder);
    }

    /** Reports down when the plan folder is not watched. A mistake in a file is shown with its line and column, and is no failure. */
    static final class PlanFolderHealthIndicator implements HealthIndicator {

        private static final int MAX_PROBLEMS = 20;

        private final PlanFolderPoller folder;

        PlanFolderHealthIndicator(PlanFolderPoller folder) {
            this.folder = folder;
        }

        @Override
        public Health health() {
            PlanFolderStatus status = folder.status();
            Health.Builder health = folder.dead() ? Health.down() : Health.up();
            if (!status.problems().isEmpty()) {
                health.withDetail("problems",
                        status.problems().stream().limit(MAX_PROBLEMS).map(PlanFolderProblem::toString).toList());
            }
            return health.build();
        }
    }
}

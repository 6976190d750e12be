// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.replay.RunJsonMapper;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires the repositories in PostgreSQL. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TraceProperties.class)
@Import({ActivityRepository.class, RunJsonMapper.class, UnreadableRows.class, SafetyRepository.class,
    JdbcRunRepository.class,
    IdempotencyKeys.class, RunRequestRepository.class, ControllerHeartbeatRepository.class, RunReadRepository.class,
    LiveRunRepository.class, RunHistoryRepository.class, RunHighlightsRepository.class, WindowSums.class,
    CapacityRepository.class,
    PlanRepository.class, InstanceFactsRepository.class, RolloutRepository.class, PeakTrafficRepository.class})
class PersistenceConfiguration {

    /** Migrates the schema, and refuses the database of another build. */
    @Bean
    FlywayMigrationStrategy migration() {
        return flyway -> {
            try {
                flyway.migrate();
            } catch (FlywayValidateException other) {
                throw new OtherSchemaException(other);
            }
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.ControllerHeartbeatRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires the execution of runs. */
@Configuration(proxyBeanMethods = false)
@Import({ThreadWorkerScheduler.class, RunChangeNotifier.class, FinalRecordTracker.class, RunTakeover.class,
    KillSwitchBroadcast.class, KillSwitchService.class, RunCommands.class, RunSupervisor.class,
    DatabaseCircuitBreaker.class})
@EnableConfigurationProperties(ExecutionProperties.class)
class ExecutionConfiguration {

    @Bean
    ServiceCatalog serviceCatalog(InstantSource clock, ExecutionProperties properties) {
        return new ServiceCatalog(clock, properties.redirectorSilence());
    }

    @Bean
    RunMetrics runMetrics(MeterRegistry meters, CapacityRepository capacities, ServiceCatalog catalog) {
        RunMetrics metrics = new RunMetrics(meters, catalog);
        capacities.newest().forEach(metrics::restoreCapacity);
        return metrics;
    }

    @Bean
    CommandDispatcher dispatcher(CommandPublisher publisher, ServiceCatalog catalog, FinalRecordTracker finalRecords) {
        return new CommandDispatcher(publisher, catalog::addresses, finalRecords::delivered);
    }

    @Bean
    ControllerHeartbeat presence(ControllerHeartbeatRepository heartbeats, ExecutionProperties properties,
            InstantSource clock) {
        return new ControllerHeartbeat(heartbeats, properties.takeoverAfter(), clock);
    }

    @Bean
    HealthIndicator presenceHealthIndicator(ControllerHeartbeat heartbeat) {
        return () -> (heartbeat.published() ? Health.up() : Health.outOfService()).build();
    }

    @Bean
    Handover handover(RunExecutor executor, RunRepository runs, ControllerHeartbeat heartbeat,
            ExecutionProperties properties, InstantSource clock, WorkerScheduler scheduler) {
        return new Handover(executor, runs, heartbeat, properties.handover(), clock, scheduler);
    }

    @Bean
    RunExecutor runDriver(ServiceCatalog catalog, RunRepository runs, CommandDispatcher dispatcher, RunMetrics metrics,
            RunChangeNotifier notifier, RunTakeover takeover, DatabaseCircuitBreaker circuitBreaker,
            ExecutionProperties properties, InstantSource clock, WorkerScheduler scheduler) {
        return new RunExecutor(catalog,
                () -> new DecisionPipeline(runs, dispatcher, metrics, notifier, circuitBreaker, clock),
                takeover, properties.threads(), properties.tick(), clock, scheduler);
    }

    @Bean
    ExecutionLifecycle driverLifecycle(RunExecutor executor, Handover handover, RunSupervisor supervisor,
            VerdictSource verdicts, ExecutionProperties properties) {
        return new ExecutionLifecycle(executor, handover, supervisor, verdicts, properties.stopTimeout());
    }

    /** Reports failures that only a restart of the process repairs. */
    @Bean
    HealthIndicator driverThreadsHealthIndicator(RunExecutor executor, VerdictSource verdicts,
            RunSupervisor supervisor) {
        return () -> (executor.healthy() && verdicts.alive() && supervisor.failure() == null
                ? Health.up()
                : Health.down())
                .build();
    }

    @Bean
    HealthIndicator driverHealth(RunExecutor executor, VerdictSource verdicts, RunSupervisor supervisor,
            UnreadableRows unreadable) {
        return new ExecutionHealthIndicator(executor, verdicts, supervisor, unreadable);
    }

    /** Down when a worker is dead, decisions cannot be stored, or Kafka cannot be read. */
    private static final class ExecutionHealthIndicator implements HealthIndicator {

        private final RunExecutor executor;

        private final VerdictSource verdicts;

        private final RunSupervisor supervisor;

        private final UnreadableRows unreadable;

        ExecutionHealthIndicator(RunExecutor executor, VerdictSource verdicts, RunSupervisor supervisor,
                UnreadableRows unreadable) {
            this.executor = executor;
            this.supervisor = supervisor;
            this.unreadable = unreadable;
            this.verdicts = verdicts;
        }

        @Override
        public Health health() {
            boolean up = executor.healthy() && executor.storing() && verdicts.alive() && verdicts.reading()
                    && supervisor.checking();
            Health.Builder health = up ? Health.up() : Health.down();
            addCause(health, "driverDiedOf", executor.failure());
            addCause(health, "verdictsDiedOf", verdicts.failure());
            addCause(health, "watchDiedOf", supervisor.failure());
            return health.withDetail("driver", executor.healthy())
                    .withDetail("storing", executor.storing())
                    .withDetail("verdicts", verdicts.alive())
                    .withDetail("reading", verdicts.reading())
                    .withDetail("watching", supervisor.checking())
                    .withDetail("unreadable", unreadable.named())
                    .withDetail("liveRuns", executor.driven())
                    .build();
        }

        private static void addCause(Health.Builder health, String name, @Nullable String cause) {
            if (cause != null) {
                health.withDetail(name, cause);
            }
        }
    }
}

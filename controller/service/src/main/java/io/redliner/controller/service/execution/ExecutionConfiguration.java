// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.ControllerHeartbeatRepository;
import io.redliner.controller.service.persistence.RunRequestRepository;
import io.redliner.controller.service.persistence.SafetyRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the driving of runs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ExecutionProperties.class)
class ExecutionConfiguration {

    @Bean
    ServiceCatalog serviceCatalog(InstantSource clock, ExecutionProperties properties) {
        return new ServiceCatalog(clock, properties.redirectorSilence());
    }

    @Bean
    WorkerScheduler ticker() {
        return new ThreadWorkerScheduler();
    }

    @Bean
    RunChangeNotifier runSignals() {
        return new RunChangeNotifier();
    }

    @Bean
    RunMetrics runMetrics(MeterRegistry meters, CapacityRepository capacities, ServiceCatalog catalog) {
        RunMetrics metrics = new RunMetrics(meters, catalog);
        capacities.newest().forEach(metrics::known);
        return metrics;
    }

    @Bean
    FinalRecordTracker finalRecords(RunRepository store, InstantSource clock) {
        return new FinalRecordTracker(store, clock);
    }

    @Bean
    CommandDispatcher dispatcher(CommandPublisher publisher, ServiceCatalog catalog, FinalRecordTracker finalRecords) {
        return new CommandDispatcher(publisher, catalog::addresses, finalRecords::delivered);
    }

    @Bean
    RunTakeover recovery(RunRepository store, PlanReader reader, ServiceCatalog catalog, CommandDispatcher dispatcher) {
        return new RunTakeover(store, reader, catalog, dispatcher);
    }

    @Bean
    KillSwitchBroadcast killSwitchBroadcast(CommandPublisher publisher) {
        return new KillSwitchBroadcast(publisher);
    }

    @Bean
    KillSwitchService emergencyStop(SafetyRepository safety, RunExecutor driver, KillSwitchBroadcast broadcast,
            ServiceCatalog catalog, InstantSource clock, WorkerScheduler ticker) {
        return new KillSwitchService(safety, driver, broadcast, catalog, clock, ticker);
    }

    @Bean
    RunCommands runCommands(RunRequestRepository requests, RunRepository runs, RunExecutor driver,
            InstantSource clock) {
        return new RunCommands(requests, runs, driver, clock);
    }

    @Bean
    ControllerHeartbeat presence(ControllerHeartbeatRepository heartbeats, ExecutionProperties properties,
            InstantSource clock) {
        return new ControllerHeartbeat(heartbeats, properties.takeoverAfter(), clock);
    }

    @Bean
    HealthIndicator presenceHealthIndicator(ControllerHeartbeat presence) {
        return () -> (presence.published() ? Health.up() : Health.outOfService()).build();
    }

    @Bean
    Handover handover(RunExecutor driver, RunRepository runs, ControllerHeartbeat presence,
            ExecutionProperties properties,
            InstantSource clock, WorkerScheduler ticker) {
        return new Handover(driver, runs, presence, properties.handover(), clock, ticker);
    }

    @Bean
    RunSupervisor runWatch(RunExecutor driver, RunTakeover recovery, FinalRecordTracker finalRecords,
            RunRepository runs,
            RunCommands commands,
            SafetyRepository safety, KillSwitchService emergencyStop, ControllerHeartbeat presence, RunMetrics metrics,
            DatabaseCircuitBreaker outage, ExecutionProperties properties, InstantSource clock,
            WorkerScheduler ticker) {
        return new RunSupervisor(driver, recovery, finalRecords, runs, commands, safety, emergencyStop, presence,
                metrics, outage, properties, clock, ticker);
    }

    @Bean
    DatabaseCircuitBreaker databaseCircuitBreaker(InstantSource clock) {
        return new DatabaseCircuitBreaker(clock);
    }

    @Bean
    RunExecutor runDriver(ServiceCatalog catalog, RunRepository store, CommandDispatcher dispatcher, RunMetrics metrics,
            RunChangeNotifier signals, RunTakeover recovery, DatabaseCircuitBreaker outage,
            ExecutionProperties properties,
            InstantSource clock, WorkerScheduler ticker) {
        return new RunExecutor(catalog, () -> new DecisionPipeline(store, dispatcher, metrics, signals, outage, clock),
                recovery, properties.threads(), properties.tick(), clock, ticker);
    }

    @Bean
    ExecutionLifecycle driverLifecycle(RunExecutor driver, Handover handover, RunSupervisor watch,
            VerdictSource verdicts,
            ExecutionProperties properties) {
        return new ExecutionLifecycle(driver, handover, watch, verdicts, properties.stopTimeout());
    }

    /** Of what only a new process mends. */
    @Bean
    HealthIndicator driverThreadsHealthIndicator(RunExecutor driver, VerdictSource verdicts, RunSupervisor watch) {
        return () -> (driver.healthy() && verdicts.alive() && watch.broken() == null ? Health.up() : Health.down())
                .build();
    }

    @Bean
    ExecutionHealthIndicator driverHealth(RunExecutor driver, VerdictSource verdicts,
            RunSupervisor watch,
            UnreadableRows unreadable) {
        return new ExecutionHealthIndicator(driver, verdicts, watch, unreadable);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.safety.StartPolicy;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.CapacityQueries;
import io.redliner.controller.service.persistence.ControllerBeats;
import io.redliner.controller.service.persistence.FleetQueries;
import io.redliner.controller.service.persistence.InstanceFactsStore;
import io.redliner.controller.service.persistence.RunRequests;
import io.redliner.controller.service.persistence.SafetyStore;
import io.redliner.controller.service.persistence.ServicePeaks;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.sla.RuleCompiler;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the driving of runs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({DriverProperties.class, SafetyProperties.class})
class DriverConfiguration {

    @Bean
    ServiceCatalog serviceCatalog(InstantSource clock, DriverProperties properties) {
        return new ServiceCatalog(clock, properties.redirectorSilence());
    }

    @Bean
    WorkerScheduler ticker() {
        return new SystemTicker();
    }

    @Bean
    RunSignals runSignals() {
        return new RunSignals();
    }

    @Bean
    RunMetrics runMetrics(MeterRegistry meters, CapacityQueries capacities, ServiceCatalog catalog) {
        RunMetrics metrics = new RunMetrics(meters, catalog);
        capacities.newest().forEach(metrics::known);
        return metrics;
    }

    @Bean
    Farewells farewells(RunRepository store, InstantSource clock) {
        return new Farewells(store, clock);
    }

    @Bean
    Dispatcher dispatcher(CommandPublisher publisher, ServiceCatalog catalog, Farewells farewells) {
        return new Dispatcher(publisher, catalog::addresses, farewells::delivered);
    }

    @Bean
    DecisionStep decisionStep(RunRepository store, Dispatcher dispatcher, RunMetrics metrics,
            RunSignals signals, InstantSource clock) {
        return new DecisionStep(store, dispatcher, metrics, signals, clock);
    }

    @Bean
    Recovery recovery(RunRepository store, PlanReader reader, RuleCompiler compiler, ServiceCatalog catalog,
            Dispatcher dispatcher) {
        return new Recovery(store, reader, compiler, catalog, dispatcher);
    }

    @Bean
    StartPolicy gate(SafetyProperties properties) {
        return properties.gate();
    }

    @Bean
    KillSwitchBroadcast killSwitchBroadcast(CommandPublisher publisher) {
        return new KillSwitchBroadcast(publisher);
    }

    @Bean
    EmergencyStop emergencyStop(SafetyStore safety, RunDriver driver, KillSwitchBroadcast broadcast,
            InstantSource clock) {
        return new EmergencyStop(safety, driver, broadcast, clock);
    }

    @Bean
    RunCommands runCommands(RunRequests requests, RunRepository runs, RunDriver driver, InstantSource clock) {
        return new RunCommands(requests, runs, driver, clock);
    }

    @Bean
    Presence presence(ControllerBeats beats, DriverProperties properties, InstantSource clock) {
        return new Presence(beats, properties.takeoverAfter(), clock);
    }

    @Bean
    HealthIndicator presenceHealthIndicator(Presence presence) {
        return () -> (presence.told() ? Health.up() : Health.outOfService()).build();
    }

    @Bean
    Handover handover(RunDriver driver, RunRepository runs, Presence presence, DriverProperties properties,
            InstantSource clock, WorkerScheduler ticker) {
        return new Handover(driver, runs, presence, properties.handover(), clock, ticker);
    }

    @Bean
    RunWatch runWatch(RunDriver driver, Recovery recovery, Farewells farewells, RunRepository runs,
            RunCommands commands,
            SafetyStore safety, EmergencyStop emergencyStop, Presence presence, RunMetrics metrics,
            DriverProperties properties, InstantSource clock, WorkerScheduler ticker) {
        return new RunWatch(driver, recovery, farewells, runs, commands, safety, emergencyStop, presence, metrics,
                properties, clock, ticker);
    }

    @Bean
    RunDriver runDriver(ServiceCatalog catalog, DecisionStep steps, Recovery recovery, DriverProperties properties,
            InstantSource clock, WorkerScheduler ticker) {
        return new RunDriver(catalog, steps, recovery, properties.tick(), clock, ticker);
    }

    @Bean
    RunSubmission runSubmission(ServiceCatalog catalog, RunRepository store, RunDriver driver, RunCommands commands,
            PlanWriter writer,
            CapacityQueries capacities, SafetyProperties safety, DriverProperties properties, RuleCompiler compiler,
            InstantSource clock, List<PlanCheck> checks, InstanceFactsStore facts, FleetQueries fleets,
            ServicePeaks peaks) {
        return new RunSubmission(catalog, store, driver, commands, writer, capacities, safety, properties.times(),
                new ProfileResolver(capacities, peaks, compiler, clock), clock, checks, new SutChooser(facts, fleets),
                Draws.BY_ID);
    }

    @Bean
    DriverLifecycle driverLifecycle(RunDriver driver, Handover handover, RunWatch watch, VerdictSource verdicts,
            DriverProperties properties) {
        return new DriverLifecycle(driver, handover, watch, verdicts, properties.patienceAtStop());
    }

    /** Of what only a new process mends. */
    @Bean
    HealthIndicator driverThreadsHealthIndicator(RunDriver driver, VerdictSource verdicts, RunWatch watch) {
        return () -> (driver.healthy() && verdicts.alive() && watch.broken() == null ? Health.up() : Health.down())
                .build();
    }

    @Bean
    DriverHealth driverHealth(RunDriver driver, DecisionStep steps, VerdictSource verdicts, RunWatch watch,
            UnreadableRows unreadable) {
        return new DriverHealth(driver, steps, verdicts, watch, unreadable);
    }
}

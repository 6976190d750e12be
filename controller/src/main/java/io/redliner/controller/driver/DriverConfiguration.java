// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.catalog.ServiceCatalog;
import io.redliner.controller.jdbc.CapacityQueries;
import io.redliner.controller.jdbc.ControllerBeats;
import io.redliner.controller.jdbc.FleetQueries;
import io.redliner.controller.jdbc.InstanceFactsStore;
import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.jdbc.RunRequests;
import io.redliner.controller.jdbc.SafetyStore;
import io.redliner.controller.jdbc.RunStore;
import io.redliner.controller.messaging.Inbox;
import io.redliner.controller.messaging.Outbox;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.sla.RuleCompiler;
import io.redliner.controller.safety.Gate;
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
    RunSignals runSignals() {
        return new RunSignals();
    }

    @Bean
    RunMetrics runMetrics(MeterRegistry meters, CapacityQueries capacities) {
        RunMetrics metrics = new RunMetrics(meters);
        capacities.newest().forEach(metrics::known);
        return metrics;
    }

    @Bean
    Farewells farewells(RunStore store, InstantSource clock) {
        return new Farewells(store, clock);
    }

    @Bean
    Dispatcher dispatcher(Outbox outbox, Farewells farewells) {
        return new Dispatcher(outbox, farewells::delivered);
    }

    @Bean
    DecisionStep decisionStep(RunStore store, RunQueries queries, Dispatcher dispatcher, RunMetrics metrics,
            RunSignals signals, InstantSource clock) {
        return new DecisionStep(store, queries, dispatcher, metrics, signals, clock);
    }

    @Bean
    Recovery recovery(RunStore store, PlanReader reader, RuleCompiler compiler, ServiceCatalog catalog,
            Dispatcher dispatcher) {
        return new Recovery(store, reader, compiler, catalog, dispatcher);
    }

    @Bean
    Gate gate(SafetyProperties properties) {
        return properties.gate();
    }

    @Bean
    EmergencyStop emergencyStop(SafetyStore safety, RunDriver driver, InstantSource clock) {
        return new EmergencyStop(safety, driver, clock);
    }

    @Bean
    RequestWatch requestWatch(RunRequests requests, RunDriver driver, InstantSource clock) {
        return new RequestWatch(requests, driver, clock);
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
    Handover handover(RunDriver driver, RunStore runs, Presence presence, DriverProperties properties,
            InstantSource clock) {
        return new Handover(driver, runs, presence, properties.handover(), clock);
    }

    @Bean
    RunWatch runWatch(RunDriver driver, Recovery recovery, Farewells farewells, RunStore runs, RequestWatch requests,
            SafetyStore safety, Presence presence, RunMetrics metrics, DriverProperties properties,
            InstantSource clock) {
        return new RunWatch(driver, recovery, farewells, runs, requests, safety, presence, metrics, properties, clock);
    }

    @Bean
    RunDriver runDriver(ServiceCatalog catalog, DecisionStep steps, Recovery recovery, DriverProperties properties,
            InstantSource clock) {
        return new RunDriver(catalog, steps, recovery, properties.tick(), clock);
    }

    @Bean
    RunSubmission runSubmission(ServiceCatalog catalog, RunStore store, RunDriver driver, PlanWriter writer,
            CapacityQueries capacities, SafetyProperties safety, DriverProperties properties, RuleCompiler compiler,
            InstantSource clock, List<PlanCheck> checks, InstanceFactsStore facts, FleetQueries fleets) {
        return new RunSubmission(catalog, store, driver, writer, capacities, safety, properties.times(),
                new ProfileResolver(capacities, compiler), clock, checks, new SutChooser(facts, fleets), Draws.BY_ID);
    }

    @Bean
    DriverLifecycle driverLifecycle(RunDriver driver, Handover handover, RunWatch watch, Inbox inbox,
            DriverProperties properties) {
        return new DriverLifecycle(driver, handover, watch, inbox, properties.patienceAtStop());
    }

    /** Of what only a new process mends. */
    @Bean
    HealthIndicator driverThreadsHealthIndicator(RunDriver driver, Inbox inbox, RunWatch watch) {
        return () -> (driver.healthy() && inbox.alive() && watch.broken() == null ? Health.up() : Health.down())
                .build();
    }

    @Bean
    DriverHealth driverHealth(RunDriver driver, DecisionStep steps, Inbox inbox, RunWatch watch, Recovery recovery) {
        return new DriverHealth(driver, steps, inbox, watch, recovery);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.catalog.ServiceCatalog;
import io.redliner.controller.jdbc.CapacityQueries;
import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.jdbc.RunStore;
import io.redliner.controller.messaging.Inbox;
import io.redliner.controller.messaging.Outbox;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.sla.RuleCompiler;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the driving of runs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DriverProperties.class)
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
    Dispatcher dispatcher(Outbox outbox) {
        return new Dispatcher(outbox);
    }

    @Bean
    DecisionStep decisionStep(RunStore store, RunQueries queries, Dispatcher dispatcher, RunMetrics metrics,
            RunSignals signals, InstantSource clock) {
        return new DecisionStep(store, queries, dispatcher, metrics, signals, clock);
    }

    @Bean
    Recovery recovery(RunStore store, PlanReader reader, RuleCompiler compiler, ServiceCatalog catalog,
            Dispatcher dispatcher, InstantSource clock) {
        return new Recovery(store, reader, compiler, catalog, dispatcher, clock);
    }

    @Bean
    RunDriver runDriver(ServiceCatalog catalog, DecisionStep steps, Recovery recovery, DriverProperties properties,
            InstantSource clock) {
        return new RunDriver(catalog, steps, recovery, properties.tick(), clock);
    }

    @Bean
    RunSubmission runSubmission(ServiceCatalog catalog, RunStore store, RunDriver driver, PlanWriter writer,
            DriverProperties properties, CapacityQueries capacities, RuleCompiler compiler, InstantSource clock) {
        return new RunSubmission(catalog, store, driver, writer, properties.times(),
                new ProfileResolver(capacities, compiler), clock);
    }

    @Bean
    DriverLifecycle driverLifecycle(RunDriver driver, Inbox inbox, DriverProperties properties) {
        return new DriverLifecycle(driver, inbox, properties.patienceAtStop());
    }

    @Bean
    DriverHealth driverHealth(RunDriver driver, DecisionStep steps, Inbox inbox) {
        return new DriverHealth(driver, steps, inbox);
    }
}

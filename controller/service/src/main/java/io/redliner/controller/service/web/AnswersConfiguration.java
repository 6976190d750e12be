// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.maintenance.PeakKeeper;
import io.redliner.controller.service.maintenance.RollupKeeper;
import io.redliner.controller.service.persistence.CapacityQueries;
import io.redliner.controller.service.persistence.InstanceFactsStore;
import io.redliner.controller.service.persistence.RunQueries;
import io.redliner.controller.service.persistence.ServicePeaks;
import io.redliner.controller.service.persistence.WindowRollups;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the answers. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AnswersProperties.class)
class AnswersConfiguration {

    @Bean
    Fleets fleets(ServiceCatalog catalog, CapacityQueries capacities, InstanceFactsStore facts, ServicePeaks peaks,
            AnswersProperties properties, InstantSource clock) {
        return new Fleets(catalog, capacities, facts, peaks, properties, clock);
    }

    @Bean
    PeakKeeper peakKeeper(ServicePeaks peaks, AnswersProperties properties, InstantSource clock,
            WorkerScheduler ticker) {
        return new PeakKeeper(peaks, clock, properties.peakInterval(), ticker);
    }

    @Bean
    RollupKeeper rollupKeeper(WindowRollups rollups, RunQueries runs, AnswersProperties properties, InstantSource clock,
            WorkerScheduler ticker) {
        return new RollupKeeper(rollups, runs, clock, properties.peakInterval(), ticker);
    }

    @Bean
    ReportAssembler reportAssembler(RunQueries runs, CapacityQueries capacities,
            ObjectProvider<SectionSource> sources, InstantSource clock) {
        return new ReportAssembler(runs, capacities, sources.orderedStream().toList(), clock);
    }
}

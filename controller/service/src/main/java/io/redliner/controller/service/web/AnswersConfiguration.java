// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.maintenance.WindowSumsJob;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.RunHighlightsRepository;
import io.redliner.controller.service.persistence.WindowSums;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires the sizing of fleets, the sums of windows, and the reports. */
@Configuration(proxyBeanMethods = false)
@Import({FleetService.class})
@EnableConfigurationProperties(CapacityProperties.class)
class AnswersConfiguration {

    @Bean
    WindowSumsJob windowSumsJob(PeakTrafficRepository peaks, WindowSums sums, RunReadRepository runs,
            CapacityProperties properties, InstantSource clock, WorkerScheduler scheduler) {
        return new WindowSumsJob(peaks, sums, runs, clock, properties.peakInterval(), scheduler);
    }

    @Bean
    ReportAssembler reportAssembler(RunReadRepository runs, RunHighlightsRepository highlights,
            CapacityRepository capacities, FleetService fleets,
            ObjectProvider<SectionSource> sources, InstantSource clock) {
        return new ReportAssembler(runs, highlights, capacities, fleets, sources.orderedStream().toList(), clock);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.execution.PlanCheck;
import io.redliner.controller.service.execution.RunSignals;
import io.redliner.controller.service.execution.RunSubmission;
import io.redliner.controller.service.persistence.CapacityQueries;
import io.redliner.controller.service.persistence.LiveQueries;
import io.redliner.controller.service.persistence.RunQueries;
import io.redliner.controller.service.scheduling.SeriesService;
import io.redliner.sla.RuleCompiler;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Wires what is shown. */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration implements WebMvcConfigurer {

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new TextGuard());
        registry.addInterceptor(new EncodingGuard());
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(new WholeNumbers());
    }

    @Bean
    PlanIntake planIntake(PlanReader reader, CalendarLookup calendars, List<PlanCheck> checks, RunSubmission submission,
            SeriesService series, RuleCompiler compiler, InstantSource clock) {
        return new PlanIntake(reader, calendars, checks, submission, series, compiler, clock);
    }

    @Bean
    RunViews runViews(RunQueries runs, CapacityQueries capacities) {
        return new RunViews(runs, capacities);
    }

    @Bean
    KeptRuns keptRuns(RunQueries runs) {
        return new KeptRuns(runs);
    }

    @Bean
    RunStream runStream(RunQueries runs, RunViews views, RunSignals signals, InstantSource clock) {
        return new RunStream(runs, views, signals, clock);
    }

    @Bean
    LiveFeed liveFeed(LiveQueries live, InstantSource clock) {
        return new LiveFeed(live, clock);
    }
}

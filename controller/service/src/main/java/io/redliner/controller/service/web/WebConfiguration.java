// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.execution.RunChangeNotifier;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.LiveRunRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.report.Section;
import io.redliner.controller.service.scheduling.CachedCalendarLookup;
import io.redliner.controller.service.scheduling.SeriesService;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.submission.PlanValidator;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Wires what is shown. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new ControlCharacterInterceptor());
        registry.addInterceptor(new EncodingGuard());
        registry.addInterceptor(new UnknownParameterInterceptor());
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(new WholeNumbers());
    }

    @Bean
    PlanValidationService planIntake(PlanReader reader, CachedCalendarLookup calendars, List<PlanValidator> checks,
            RunSubmissionService submission,
            SeriesService series, Permissions permissions, InstantSource clock) {
        return new PlanValidationService(reader, calendars, checks, submission, series, permissions, clock);
    }

    @Bean
    RunViewAssembler runViews(RunReadRepository runs, CapacityRepository capacities, PlanReader reader) {
        return new RunViewAssembler(runs, capacities, reader);
    }

    @Bean
    SectionSource planNotes(RunViewAssembler views) {
        return run -> {
            List<Section.Fact> notes = views.notes(run.plan().json()).stream()
                    .map(note -> new Section.Fact("Note", note))
                    .toList();
            return notes.isEmpty()
                    ? List.of()
                    : List.of(new Section("notes", "Notes on the plan", notes, List.of(), List.of()));
        };
    }

    @Bean
    RunLookup keptRuns(RunReadRepository runs) {
        return new RunLookup(runs);
    }

    @Bean
    RunEventStream runStream(RunReadRepository runs, RunViewAssembler views, RunChangeNotifier notifier,
            InstantSource clock) {
        return new RunEventStream(runs, views, notifier, clock);
    }

    @Bean
    LiveRunStream liveFeed(LiveRunRepository live, InstantSource clock) {
        return new LiveRunStream(live, clock);
    }
}

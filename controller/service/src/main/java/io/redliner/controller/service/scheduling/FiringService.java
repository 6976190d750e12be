// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.schedule.AllowedTimes;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.CalendarLookup.UnknownCalendarException;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.core.schedule.FiringDecision;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.service.persistence.FiringRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts a firing that is due. Each attempt, on any controller, uses the same key, so that two attempts start one run.
 */
final class FiringService {

    private static final Logger LOG = LoggerFactory.getLogger(FiringService.class);

    private final FiringRepository firings;

    private final RunStarter runs;

    private final CalendarLookup calendars;

    private final ScheduleProperties properties;

    private final MeterRegistry meters;

    private final InstantSource clock;

    FiringService(FiringRepository firings, RunStarter runs, CalendarLookup calendars, ScheduleProperties properties,
            MeterRegistry meters, InstantSource clock) {
        this.firings = firings;
        this.runs = runs;
        this.calendars = calendars;
        this.properties = properties;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * The outcome of an attempt.
     *
     * @param firing as it is kept now
     * @param again when it is to be tried again; empty when it is settled
     */
    record Outcome(Firing firing, Optional<Instant> again) {}

    /**
     * Attempts a firing.
     *
     * @param fresh what is kept when nobody has tried it before
     * @param next the plan's next firing, which replaces this one
     */
    Outcome attempt(Firing fresh, Plan plan, Schedule schedule, Optional<Instant> next) {
        Instant now = clock.instant();
        Firing firing = firings.find(fresh.key()).orElse(fresh);
        if (firing.state() != Firing.State.WAITING) {
            return new Outcome(firing, Optional.empty());
        }
        Optional<String> started = runs.started(firing.key());
        if (started.isPresent()) {
            return settle(firing.became(Firing.State.STARTED, now, started.get(), null, null));
        }
        FiringDecision decision;
        try {
            decision = FiringDecision.of(schedule, new AllowedTimes(schedule, calendars), firing.due(),
                    firing.progress().attempts() > 0, now, properties.grace());
        } catch (UnknownCalendarException unknown) {
            return refused(firing, schedule, next, now, "unknown-calendar", String.valueOf(unknown.getMessage()));
        }
        return switch (decision) {
            case FiringDecision.Start ignored -> start(firing, plan, schedule, next, now);
            case FiringDecision.Later later -> later(firing, later, now, "closed");
            case FiringDecision.Never never ->
                settle(firing.became(firing.progress().wasRefused()
                        ? Firing.State.REFUSED
                        : Firing.State.SKIPPED, now, null, "missed", describe(firing, never)));
        };
    }

    private static String describe(Firing firing, FiringDecision.Never never) {
        String last = firing.progress().reason();
        return last == null ? never.reason() : never.reason() + "; last: " + last;
    }

    private Outcome start(Firing firing, Plan plan, Schedule schedule, Optional<Instant> next, Instant now) {
        return switch (runs.start(plan, firing.deploymentId(), firing.key())) {
            case RunStarter.Answer.Started started ->
                settle(firing.became(Firing.State.STARTED, now, started.runId(), null, null));
            case RunStarter.Answer.Refused refused -> refused.again()
                    ? refused(firing, schedule, next, now, refused.code(), refused.reason())
                    : settle(firing.became(Firing.State.REFUSED, now, null, refused.code(), refused.reason()));
            case RunStarter.Answer.NotApplicable skipped ->
                settle(firing.became(Firing.State.SKIPPED, now, null, skipped.code(), skipped.reason()));
        };
    }

    private Outcome refused(Firing firing, Schedule schedule, Optional<Instant> next, Instant now, String code,
            String reason) {
        return switch (FiringDecision.afterRefusal(schedule, firing.due(), next, now, properties.retry(), reason)) {
            case FiringDecision.Later later -> later(firing, later, now, code);
            case FiringDecision.Never never ->
                settle(firing.became(Firing.State.REFUSED, now, null, code, never.reason()));
            case FiringDecision.Start impossible ->
                throw new IllegalStateException("a refusal starts nothing: " + impossible);
        };
    }

    private Outcome later(Firing firing, FiringDecision.Later later, Instant now, String code) {
        Firing kept = firing.became(Firing.State.WAITING, now, null, code, later.reason());
        firings.record(kept);
        return new Outcome(kept, Optional.of(later.at()));
    }

    private Outcome settle(Firing settled) {
        firings.record(settled);
        meters.counter("redliner.schedule.firings", "state", settled.state().wireName(), "cause",
                settled.cause().wireName())
                .increment();
        log(settled, settled.progress().reason());
        return new Outcome(settled, Optional.empty());
    }

    private static void log(Firing firing, @Nullable String reason) {
        if (firing.state() == Firing.State.STARTED) {
            LOG.info("plan {} was due at {}: run {}", firing.plan(), firing.due(), firing.progress().runId());
        } else {
            LOG.warn("plan {} was due at {}, and {}: {}", firing.plan(), firing.due(), firing.state().wireName(),
                    reason);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.core.schedule.StoredSchedule;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.ScheduleRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts the plans that wait for deployments of a service. */
public final class DeploymentFiringHandler implements ExecutionHandler<String> {

    /**
     * Delay of the scheduled task: the controller that received the deployment tries at once, and the task tries again when that
     * fails.
     */
    private static final Duration FIRST = Duration.ofSeconds(2);

    private static final String UNREADABLE = "plan-unreadable";

    private final ScheduleRepository schedules;

    private final FiringRepository firings;

    private final FiringService firingService;

    private final ScheduledTaskRepository tasks;

    private final ScheduledPlans plans;

    private final InstantSource clock;

    DeploymentFiringHandler(ScheduleRepository schedules, FiringRepository firings, FiringService firingService,
            ScheduledTaskRepository tasks, ScheduledPlans plans, InstantSource clock) {
        this.schedules = schedules;
        this.firings = firings;
        this.firingService = firingService;
        this.tasks = tasks;
        this.plans = plans;
        this.clock = clock;
    }

    /**
     * Schedules the firings of a deployment, inside the transaction that stores the deployment.
     *
     * @param at when it was deployed
     * @param reportedAt when that was first reported
     * @return one firing for each plan that waits for it
     */
    public List<Firing> plan(String deployment, String service, Instant at, Instant reportedAt) {
        Instant now = clock.instant();
        List<Firing> planned = new ArrayList<>();
        for (StoredSchedule stored : schedules.onDeploymentOf(service)) {
            Optional<Plan> plan = plans.read(stored);
            Optional<Schedule> schedule = plan.flatMap(DeploymentFiringHandler::schedule);
            if (plan.isPresent() && schedule.isEmpty()) {
                continue;
            }
            Instant due = schedule.map(known -> at.plus(known.delay())).filter(reportedAt::isBefore).orElse(reportedAt);
            String key = "deployment/" + deployment + "/" + stored.plan();
            Firing firing = Firing.waiting(key, stored.plan(), stored.planVersion(), due, deployment, now);
            if (stored.paused()) {
                firing = firing.became(Firing.State.SKIPPED, now, null, "paused",
                        "the plan's schedule is paused: " + stored.pauseReason());
            } else if (plan.isEmpty()) {
                firing = firing.became(Firing.State.SKIPPED, now, null, UNREADABLE,
                        "the plan cannot be read: store it again");
            } else {
                tasks.add(ScheduledTaskRepository.BY_DEPLOYMENT, key, stored.plan(),
                        due.isAfter(now) ? due : now.plus(FIRST));
            }
            firings.record(firing);
            planned.add(firing);
        }
        return planned;
    }

    /** Attempts the firings that are due already, and returns the newest state of all. Called outside of a transaction. */
    public List<Firing> start(List<Firing> planned) {
        return planned.stream()
                .map(firing -> firing.state() == Firing.State.WAITING && !firing.due().isAfter(clock.instant())
                        ? attempt(firing.key()).flatMap(outcome -> firings.find(firing.key())).orElse(firing)
                        : firing)
                .toList();
    }

    @Override
    public CompletionHandler<String> execute(TaskInstance<String> instance, ExecutionContext context) {
        Optional<Instant> again = attempt(instance.getId()).flatMap(FiringService.Outcome::again);
        return again.isPresent()
                ? (complete, operations) -> operations.reschedule(complete, again.get())
                : new CompletionHandler.OnCompleteRemove<>();
    }

    private Optional<FiringService.Outcome> attempt(String key) {
        Optional<Firing> found = firings.find(key);
        if (found.isEmpty() || found.get().state() != Firing.State.WAITING) {
            return Optional.empty();
        }
        Firing firing = found.get();
        Optional<StoredSchedule> stored = schedules.ofPlan(firing.plan());
        Optional<Plan> plan = stored.flatMap(plans::read);
        Optional<Schedule> schedule = plan.flatMap(DeploymentFiringHandler::schedule);
        if (stored.isPresent() && plan.isEmpty()) {
            return Optional.of(ended(firing, UNREADABLE, "the plan cannot be read: store it again"));
        }
        if (plan.isEmpty() || schedule.isEmpty()) {
            return Optional.of(ended(firing, "plan-changed", "the plan does not wait for deployments any more"));
        }
        if (stored.get().paused()) {
            return Optional.of(ended(firing, "paused", "the plan's schedule is paused"));
        }
        return Optional.of(firingService.attempt(firing, plan.get(), schedule.get(), Optional.empty()));
    }

    private FiringService.Outcome ended(Firing firing, String code, String reason) {
        Firing skipped = firing.became(Firing.State.SKIPPED, clock.instant(), null, code, reason);
        firings.record(skipped);
        return new FiringService.Outcome(skipped, Optional.empty());
    }

    private static Optional<Schedule> schedule(Plan plan) {
        Schedule schedule = plan.schedule();
        return schedule == null || !schedule.onDeployment() ? Optional.empty() : Optional.of(schedule);
    }
}

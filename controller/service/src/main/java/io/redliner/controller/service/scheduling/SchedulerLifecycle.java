// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.Waiter;
import com.github.kagkarlsson.scheduler.logging.LogLevel;
import com.github.kagkarlsson.scheduler.task.ExecutionHandler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.redliner.controller.service.persistence.TaskDataSerializer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;

/**
 * The db-scheduler of this controller. It starts last and stops first, while runs can still be started and ended. What a
 * dead controller was doing is done again by another.
 */
final class SchedulerLifecycle implements SmartLifecycle {

    private static final int MISSED_HEARTBEATS = 4;

    private final Scheduler scheduler;

    private volatile boolean running;

    /** @param jobs each is done by one of the controllers at a time */
    SchedulerLifecycle(DataSource database, Map<String, ExecutionHandler<String>> handlers, List<RecurringJob> jobs,
            ScheduleProperties properties, String name, InstantSource clock) {
        List<Task<?>> tasks = handlers.entrySet()
                .stream()
                .<Task<?>>map(handler -> task(handler.getKey(), handler.getValue(), properties, clock))
                .toList();
        this.scheduler = new Builder(database, tasks)
                .startTasks(jobs.stream()
                        .map(job -> Tasks.recurring(job.name(), FixedDelay.of(job.interval()))
                                .execute((instance, context) -> job.work().run()))
                        .toList())
                .serializer(new TaskDataSerializer())
                .clock(clock::instant)
                .schedulerName(new SchedulerName.Fixed(name))
                .threads(properties.threads())
                .pollingInterval(properties.polling())
                .pollUsingLockAndFetch(1, 4)
                .heartbeatInterval(properties.heartbeat())
                .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                .alwaysPersistTimestampInUTC()
                .failureLogging(LogLevel.WARN, false)
                .shutdownMaxWait(Duration.ofSeconds(5))
                .build();
    }

    private static Task<String> task(String name, ExecutionHandler<String> handler, ScheduleProperties properties,
            InstantSource clock) {
        return Tasks.custom(name, String.class)
                .onFailure((failed, operations) -> operations.reschedule(failed,
                        clock.instant().plus(properties.retry())))
                .onDeadExecution((dead, operations) -> operations.reschedule(dead, clock.instant()))
                .execute(handler);
    }

    @Override
    public void start() {
        scheduler.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        scheduler.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** A scheduler whose waits do not depend on the wall clock: setting it back does not stop the scheduler. */
    private static final class Builder extends SchedulerBuilder {

        Builder(DataSource database, List<Task<?>> tasks) {
            super(database, tasks);
        }

        @Override
        protected Waiter buildWaiter() {
            AtomicLong asked = new AtomicLong();
            // Asked when a wait begins, once before it waits, and once after it.
            Duration step = poolingInterval.multipliedBy(2).dividedBy(3);
            return new Waiter(poolingInterval, () -> Instant.EPOCH.plus(step.multipliedBy(asked.getAndIncrement())));
        }
    }
}

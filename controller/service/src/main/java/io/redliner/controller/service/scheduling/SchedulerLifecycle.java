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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;

/** A db-scheduler of this controller, with a table of its own. What a dead controller was doing is done again by another. */
public final class SchedulerLifecycle implements SmartLifecycle {

    /** Heartbeats that are missing when a controller counts as dead. */
    private static final int MISSED_HEARTBEATS = 4;

    /** Least difference between the limits of the tasks that are fetched: more are fetched as soon as a thread is free. */
    private static final double STEP = 0.01;

    private final Scheduler scheduler;

    private final int phase;

    private volatile boolean running;

    /**
     * Settings of a scheduler.
     *
     * @param table of its tasks
     * @param threads that do tasks
     * @param fetched tasks per thread that are fetched: with 1, none that another controller could do waits for a thread
     * @param polling how often due tasks are looked for
     * @param heartbeat how often a controller says that it still works on a task
     * @param retry pause after a task that failed
     * @param stopTimeout for the tasks under way when it stops
     * @param phase of Spring's lifecycle
     */
    public record Settings(String table, int threads, int fetched, Duration polling, Duration heartbeat, Duration retry,
            Duration stopTimeout, int phase) {}

    /**
     * Creates a scheduler.
     *
     * @param database one that is aware of transactions, when a handler ends its task in a transaction
     * @param handlers by the names of their tasks
     * @param jobs each is done by one of the controllers at a time
     */
    public SchedulerLifecycle(DataSource database, Settings settings, Map<String, ExecutionHandler<String>> handlers,
            List<RecurringJob> jobs, InstantSource clock) {
        List<Task<?>> tasks = handlers.entrySet()
                .stream()
                .<Task<?>>map(handler -> task(handler.getKey(), handler.getValue(), settings.retry(), clock))
                .toList();
        this.phase = settings.phase();
        this.scheduler = new Builder(database, tasks)
                .startTasks(jobs.stream()
                        .map(job -> Tasks.recurring(job.name(), FixedDelay.of(job.interval()))
                                .execute((instance, context) -> job.work().run()))
                        .toList())
                .tableName(settings.table())
                .serializer(new TaskDataSerializer())
                .clock(clock::instant)
                .schedulerName(new SchedulerName.Fixed("controller-" + UUID.randomUUID()))
                .threads(settings.threads())
                .pollingInterval(settings.polling())
                .pollUsingLockAndFetch(Math.min(1, settings.fetched() - STEP), settings.fetched())
                .heartbeatInterval(settings.heartbeat())
                .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                .alwaysPersistTimestampInUTC()
                .failureLogging(LogLevel.WARN, false)
                .shutdownMaxWait(settings.stopTimeout())
                .build();
    }

    private static Task<String> task(String name, ExecutionHandler<String> handler, Duration retry,
            InstantSource clock) {
        return Tasks.custom(name, String.class)
                .onFailure((failed, operations) -> operations.reschedule(failed, clock.instant().plus(retry)))
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
        return phase;
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

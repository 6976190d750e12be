// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.maintenance.PeriodicJob;
import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.NotificationRepository;
import io.redliner.controller.service.scheduling.SchedulerLifecycle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.core.NestedExceptionUtils;

/**
 * Counts the messages that are not delivered, for metrics and health, adds tasks that are missing, and removes messages that were
 * kept long enough. A receiver that refuses messages is only named in the details of health, because the controller works.
 */
final class NotificationMonitor extends PeriodicJob implements HealthIndicator {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationMonitor.class);

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Duration TOO_LATE = Duration.ofMinutes(1);

    private static final int MAX_UNREACHED = 10;

    private final NotificationRepository notifications;

    private final NotificationQueries queries;

    private final SchedulerLifecycle deliveryScheduler;

    private final Duration keep;

    private final InstantSource clock;

    private volatile boolean working = true;

    private volatile List<NotificationQueries.Unreached> unreached = List.of();

    private volatile NotificationQueries.Counts counts = new NotificationQueries.Counts(0, 0);

    NotificationMonitor(NotificationRepository notifications, NotificationQueries queries,
            SchedulerLifecycle deliveryScheduler,
            Duration keep, MeterRegistry meters, InstantSource clock, WorkerScheduler scheduler) {
        super(scheduler, "notifications", INTERVAL);
        this.notifications = notifications;
        this.queries = queries;
        this.deliveryScheduler = deliveryScheduler;
        this.keep = keep;
        this.clock = clock;
        meters.gauge("redliner.notifications.waiting", this, monitor -> monitor.counts.waiting());
        meters.gauge("redliner.notifications.dead", this, monitor -> monitor.counts.dead());
    }

    @Override
    protected void run() {
        try {
            counts = queries.counts();
            unreached = queries.unreached(MAX_UNREACHED);
            int missing = notifications.addMissingTasks();
            if (missing > 0) {
                LOG.warn("{} messages that wait had no task, and have one again", missing);
            }
            int removed = notifications.removeSettled(clock.instant().minus(keep));
            LOG.debug("{} messages were kept long enough", removed);
            working = true;
        } catch (RuntimeException failure) {
            if (working) {
                LOG.warn("messages wait until the database is back: {}",
                        NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
            }
            working = false;
        }
    }

    /** Reports down when due messages are not taken, when this controller delivers none, or when the database does not answer. */
    @Override
    public Health health() {
        boolean alive = deliveryScheduler.isRunning() && isRunning();
        Health.Builder health;
        try {
            Duration late = queries.oldestLateness(clock.instant());
            health = Health.status(alive && late.compareTo(TOO_LATE) <= 0 ? Status.UP : Status.DOWN)
                    .withDetail("oldestLatenessSeconds", late.toSeconds());
        } catch (RuntimeException away) {
            health = Health.down(away);
        }
        return health.withDetail("notifier", alive)
                .withDetail("waiting", counts.waiting())
                .withDetail("dead", counts.dead())
                .withDetail("unreached", unreached)
                .build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.service.persistence.RetainedData;
import io.redliner.controller.service.persistence.RetentionRepository;
import io.redliner.controller.service.persistence.RetentionRepository.Removed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Removes data whose retention time is over, on a thread of its own. */
final class RetentionJob implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RetentionJob.class);

    private static final String SERVICES = "services";

    private static final String MONTHS = "months";

    /** From this retention time on, details are removed by whole months, which costs nothing; otherwise run by run. */
    private static final Duration BY_MONTH_FROM = Duration.ofDays(60);

    private final RetentionRepository retention;

    private final ServiceCatalog catalog;

    private final RetentionProperties properties;

    private final InstantSource clock;

    private final MeterRegistry meters;

    private @Nullable ScheduledExecutorService worker;

    RetentionJob(RetentionRepository retention, ServiceCatalog catalog, RetentionProperties properties,
            InstantSource clock, MeterRegistry meters) {
        this.retention = retention;
        this.catalog = catalog;
        this.properties = properties;
        this.clock = clock;
        this.meters = meters;
    }

    /** Schedules the removals. The first one waits for an interval, because a starting controller has more urgent work. */
    @Override
    public synchronized void start() {
        ScheduledExecutorService started = Executors
                .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("retention").daemon().factory());
        long every = properties.every().toMillis();
        Future<?> unused = started.scheduleWithFixedDelay(this::sweep, every, every, TimeUnit.MILLISECONDS);
        worker = started;
    }

    /** Removes all data older than its retention. Each kind of data may take as long as the interval between two removals. */
    void sweep() {
        Instant now = clock.instant();
        for (RetainedData kind : RetainedData.values()) {
            Duration kept = properties.of(kind);
            if (!kept.isZero()) {
                guarded(kind.wireName(), () -> remove(kind, kept, clock.instant()));
            }
        }
        guarded(MONTHS, () -> retention.addMonths(now));
        if (!properties.services().isZero()) {
            guarded(SERVICES, () -> removed(SERVICES,
                    catalog.forget(now.minus(properties.services()), retention.busyServices())));
        }
    }

    private void remove(RetainedData kind, Duration kept, Instant now) {
        Instant before = now.minus(kept);
        // The rest is for the next look, so that no kind keeps the others from their turn.
        Instant until = now.plus(properties.every());
        boolean byMonth = kind == RetainedData.RUN_DETAILS && kept.compareTo(BY_MONTH_FROM) >= 0;
        boolean more = true;
        while (more && !clock.instant().isAfter(until) && !Thread.currentThread().isInterrupted()) {
            Removed some = byMonth ? retention.dropMonth(before) : retention.removeSome(kind, before);
            removed(kind.wireName(), some.rows());
            more = some.more();
        }
    }

    private void removed(String rows, int many) {
        meters.counter("redliner.retention.removed", "kind", rows).increment(many);
        if (many > 0) {
            LOG.info("removed {} of {} that were kept long enough", many, rows);
        }
    }

    /** Runs a removal and logs its failure, so that the job goes on. */
    private void guarded(String rows, Runnable removal) {
        try {
            removal.run();
        } catch (RuntimeException | Error failure) {
            meters.counter("redliner.retention.failures", "kind", rows).increment();
            LOG.warn("{} that were kept long enough cannot be removed now: {}", rows, failure.toString());
        }
    }

    @Override
    public synchronized void stop() {
        if (worker != null) {
            worker.shutdownNow();
            worker = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return worker != null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.persistence.RetainedData;
import io.redliner.controller.service.persistence.RetentionRepository;
import io.redliner.controller.service.persistence.RetentionRepository.Removed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes data whose retention time is over, on a thread of its own. */
final class RetentionJob extends PeriodicJob {

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

    RetentionJob(RetentionRepository retention, ServiceCatalog catalog, RetentionProperties properties,
            InstantSource clock, MeterRegistry meters,
            WorkerScheduler scheduler) {
        super(scheduler, "retention", properties.every());
        this.retention = retention;
        this.catalog = catalog;
        this.properties = properties;
        this.clock = clock;
        this.meters = meters;
    }

    /** Removes all data older than its retention. Each kind of data may take as long as the interval between two removals. */
    @Override
    protected void run() {
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
        while (more && !clock.instant().isAfter(until) && !stopped()) {
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
}

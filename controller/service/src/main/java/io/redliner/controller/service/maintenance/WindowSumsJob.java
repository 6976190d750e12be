// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.WindowSums;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Sums up the windows of runs, and keeps the peaks of services up to date from those of finished runs. It runs apart from the
 * decisions: a long run has many windows, and no lease may wait for their sums.
 */
public final class WindowSumsJob extends PeriodicJob {

    private static final Logger LOG = LoggerFactory.getLogger(WindowSumsJob.class);

    private static final int MAX_AT_ONCE = 1000;

    /** Runs that ended within this time are summed up once more. */
    private static final Duration OVERLAP = Duration.ofMinutes(1);

    private final PeakTrafficRepository peaks;

    private final WindowSums sums;

    private final RunReadRepository runs;

    private final InstantSource clock;

    public WindowSumsJob(PeakTrafficRepository peaks, WindowSums sums, RunReadRepository runs,
            InstantSource clock, Duration interval, WorkerScheduler scheduler) {
        super(scheduler, "peaks", interval);
        this.peaks = peaks;
        this.sums = sums;
        this.runs = runs;
        this.clock = clock;
    }

    @Override
    protected void run() {
        try {
            runs.find(sums.pending(clock.instant().minus(OVERLAP))).values().forEach(this::sum);
            int taken = 0;
            while (taken < MAX_AT_ONCE && peaks.takeNext(clock.instant())) {
                taken++;
            }
        } catch (NestedRuntimeException failure) {
            LOG.warn("windows of runs cannot be summed up, and their peaks not taken, now: {}", failure.getMessage());
        } catch (RuntimeException failure) {
            LOG.error("windows of runs cannot be summed up, and their peaks not taken, now", failure);
        }
    }

    /** Sums up the windows of one run. Its failure does not stop the job for other runs. */
    private void sum(StoredRun run) {
        try {
            sums.add(run);
        } catch (DataIntegrityViolationException damaged) {
            LOG.debug("run {} is not summed up any further", run.id(), damaged);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.UnreadableRowException;
import io.redliner.controller.service.persistence.WindowRollup;
import io.redliner.controller.service.persistence.WindowRollups;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Writes the rollups of live runs' windows, and of runs that ended lately. It does so beside the decisions, not within their
 * transactions.
 */
public final class RollupJob implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RollupJob.class);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    /** Runs that ended within this time are looked at too, as the controller may have been away when they ended. */
    private static final Duration LOOK_BACK = Duration.ofHours(1);

    private final WindowRollups rollups;

    private final RunReadRepository runs;

    private final InstantSource clock;

    private final Duration interval;

    private final WorkerScheduler scheduler;

    /** The instant from which a run may have another stretch, by run. Only the job's thread uses it. */
    private final Map<String, Instant> next = new HashMap<>();

    private WorkerScheduler.@Nullable Worker worker;

    public RollupJob(WindowRollups rollups, RunReadRepository runs, InstantSource clock, Duration interval,
            WorkerScheduler scheduler) {
        this.rollups = rollups;
        this.runs = runs;
        this.clock = clock;
        this.interval = interval;
        this.scheduler = scheduler;
    }

    @Override
    public synchronized void start() {
        WorkerScheduler.Worker started = scheduler.repeat("rollups", interval, this::sweep);
        started.start();
        worker = started;
    }

    private void sweep() {
        try {
            Set<String> recent = runs.recent(clock.instant().minus(LOOK_BACK));
            next.keySet().retainAll(recent);
            runs.find(recent.stream().filter(this::due).toList()).values().forEach(this::look);
        } catch (RuntimeException failure) {
            LOG.warn("charts of long runs take longer for now, since their windows cannot be summed up: {}",
                    failure.toString());
        }
    }

    private boolean due(String run) {
        return !clock.instant().isBefore(next.getOrDefault(run, Instant.MIN));
    }

    private void look(StoredRun run) {
        Instant now = clock.instant();
        Duration length = WindowRollup.length(run.state().facts().bounds().window());
        Instant end = added(run).orElse(now);
        Instant finishedAt = run.finishedAt();
        next.put(run.id(), finishedAt != null && finishedAt.plus(interval).isBefore(now)
                ? Instant.MAX
                : end.plus(length).isAfter(now) ? end.plus(length) : now.plus(interval));
    }

    /** A run one of whose windows cannot be read is not summed up, and holds up no other. */
    private Optional<Instant> added(StoredRun run) {
        try {
            return rollups.add(run);
        } catch (UnreadableRowException unreadable) {
            LOG.debug("run {} is not summed up any further", run.id(), unreadable);
            return Optional.empty();
        }
    }

    @Override
    public synchronized void stop() {
        WorkerScheduler.Worker running = worker;
        worker = null;
        if (running != null) {
            running.stop(STOP_TIMEOUT);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return worker != null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.maintenance.PeriodicJob;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the plan folder by polling, which also works on network mounts. A change is applied when two polls see the same content,
 * so that a half-written file is never read. A controller takes the folder over when it starts, and then only when the folder
 * changes: one whose folder is behind does not undo what another has done.
 */
public final class PlanFolderPoller extends PeriodicJob {

    private static final Logger LOG = LoggerFactory.getLogger(PlanFolderPoller.class);

    private final @Nullable Path folder;

    private final PlanFolderValidator validator;

    private final PlanFolderSynchronizer synchronizer;

    private final InstantSource clock;

    private volatile PlanFolderStatus status;

    private @Nullable PlanFolderContent lastContent;

    private @Nullable PlanFolderContent settledContent;

    private PlanFolderValidator.@Nullable Reading takenReading;

    private List<PlanFolderProblem> conflicts = List.of();

    PlanFolderPoller(PlanFolderProperties properties, PlanFolderValidator validator,
            PlanFolderSynchronizer synchronizer, InstantSource clock, WorkerScheduler scheduler) {
        super(scheduler, "controller-plan-folder", properties.look());
        this.folder = properties.folder();
        this.validator = validator;
        this.synchronizer = synchronizer;
        this.clock = clock;
        this.status = folder == null
                ? PlanFolderStatus.NONE
                : new PlanFolderStatus(folder.toString(), null, null, 0, 0, List.of(), List.of());
    }

    /** Returns the status of the plan folder. */
    public PlanFolderStatus status() {
        return status;
    }

    /** Returns true when a folder is configured and the thread that watches it is not alive. */
    boolean dead() {
        return folder != null && !isRunning();
    }

    /** Starts when a folder is configured. */
    @Override
    public void start() {
        if (folder != null) {
            super.start();
        }
    }

    @Override
    protected void run() {
        try {
            poll(Objects.requireNonNull(folder));
        } catch (RuntimeException failure) {
            // The database is away: the same content is tried again.
            settledContent = null;
            LOG.warn("the plan folder could not be taken over: {}", failure.toString());
            status = status.failed(List.of(PlanFolderProblem.of(".", 1, "could not be stored; it is tried again")));
        }
    }

    void poll(Path watched) {
        status = status.at(clock.instant());
        PlanFolderContent content;
        try {
            content = PlanFolderContent.read(watched);
        } catch (PlanFolderContent.UnreadableException unreadable) {
            again(List.of(PlanFolderProblem.of(".", 1, String.valueOf(unreadable.getMessage()))));
            return;
        } catch (IOException changing) {
            again(List.of(PlanFolderProblem.of(".", 1, "cannot be read: " + changing)));
            return;
        }
        boolean stable = content.equals(lastContent);
        lastContent = content;
        if (stable && (!content.equals(settledContent) || conflictsChanged())) {
            settledContent = isTaken(content) ? content : null;
        }
    }

    /** A conflict with the API may go away without a change of the folder. */
    private boolean conflictsChanged() {
        PlanFolderValidator.Reading last = takenReading;
        return last != null && !conflicts.isEmpty() && !synchronizer.conflicts(last).equals(conflicts);
    }

    private void again(List<PlanFolderProblem> problems) {
        lastContent = null;
        settledContent = null;
        log(problems);
        status = status.failed(problems);
    }

    /** Returns false when a file could not be stored: the same content is tried again. */
    private boolean isTaken(PlanFolderContent content) {
        PlanFolderValidator.Reading reading = validator.read(content, synchronizer.otherCalendars(),
                synchronizer.owners());
        takenReading = reading;
        PlanFolderSynchronizer.InTheWay inTheWay = synchronizer.apply(reading);
        conflicts = inTheWay.conflicts();
        List<PlanFolderProblem> problems = Stream
                .of(reading.problems(), conflicts, inTheWay.failures(), inTheWay.others())
                .flatMap(List::stream).toList();
        log(problems);
        if (!reading.warnings().equals(status.warnings())) {
            reading.warnings().forEach(warning -> LOG.warn("taken over from the plan folder, but: {}", warning));
        }
        long plans = reading.plans().values().stream().filter(placed -> !reading.refused().contains(placed.file()))
                .count();
        long calendars = reading.calendars().values().stream().filter(read -> !reading.refused().contains(read.file()))
                .count();
        status = status.applied(clock.instant(), (int) plans, (int) calendars, reading.warnings(), problems);
        return inTheWay.failures().isEmpty();
    }

    private void log(List<PlanFolderProblem> problems) {
        if (!problems.equals(status.problems())) {
            problems.forEach(problem -> LOG.warn("not taken over from the plan folder: {}", problem));
        }
    }
}

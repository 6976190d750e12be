// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.collector.concurrent.WorkerThread;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.DegradationReason;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.source.LocalInstances;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Closes windows as soon as they are due, and publishes them as observations. */
final class WindowCloser implements AutoCloseable {

    /** The shortest pause, while a window waits for streams: closing adds next to nothing to its age. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** Maximum pause between two turns, because a service or shorter windows may be added at any time. */
    private static final Duration MAX_REST = Duration.ofMillis(50);

    /**
     * A turn that starts this much later than the last one ended means that the process stood still and has not read the records
     * that arrived.
     */
    private static final Duration STANDSTILL = Duration.ofMillis(250);

    private static final Duration CATCHING_UP = Duration.ofMillis(100);

    private final WindowAggregator windows;

    private final LocalInstances instances;

    private final ObservationEncoder encoder;

    private final ObservationPublisher publisher;

    private final ObservationMetrics metrics;

    private final OwnLimitReport ownLimitReport;

    private final InstantSource clock;

    private Instant lastTurn;

    private final WorkerThread worker;

    WindowCloser(WindowAggregator windows, LocalInstances instances, ObservationEncoder encoder,
            ObservationPublisher publisher,
            ObservationMetrics metrics, OwnLimitReport ownLimitReport,
            InstantSource clock) {
        this.windows = windows;
        this.instances = instances;
        this.encoder = encoder;
        this.publisher = publisher;
        this.metrics = metrics;
        this.ownLimitReport = ownLimitReport;
        this.clock = clock;
        lastTurn = clock.instant();
        worker = WorkerThread.start("redliner-collector-sealer", pause -> {
            catchUp(pause);
            closeDue();
            lastTurn = clock.instant();
            pause.take(rest());
        });
    }

    /**
     * Marks the windows of a time in which the process stood still, and lets the readers catch up before those windows are
     * closed.
     */
    private void catchUp(WorkerThread.Pause pause) throws InterruptedException {
        Instant now = clock.instant();
        if (Duration.between(lastTurn, now).compareTo(STANDSTILL) > 0) {
            windows.impair(DegradationReason.PAUSE, lastTurn, now);
            pause.take(CATCHING_UP);
        }
    }

    private void closeDue() {
        Instant now = clock.instant();
        for (WindowCounts window : windows.closeDue(now)) {
            publisher.publish(window.summary()
                    ? encoder.encode(window, List.of(), List.of())
                    : encoder.encode(window, windows.redirectors(window.service(), now),
                            instances.hosts(window.instanceId(), now)));
            metrics.countOutside(window);
            windows.release(window);
        }
        ownLimitReport.report(now);
    }

    /** Returns the time until a window can be closed. */
    private Duration rest() {
        Instant now = clock.instant();
        Duration rest = windows.nextCloseAt().map(due -> Duration.between(now, due)).orElse(MAX_REST);
        return rest.compareTo(TICK) < 0 ? TICK : rest.compareTo(MAX_REST) > 0 ? MAX_REST : rest;
    }

    boolean isAlive() {
        return worker.isAlive();
    }

    @Override
    public void close() {
        worker.close();
    }
}

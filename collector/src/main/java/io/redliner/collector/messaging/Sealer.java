// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.messaging;

import io.redliner.collector.window.SealedWindow;
import io.redliner.collector.window.Windows;
import io.redliner.collector.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Seals windows as soon as they are due, and hands them on. */
final class Sealer implements AutoCloseable {

    /** While a window waits for streams: sealing adds next to nothing to its age. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** A service, or finer windows, may come at any time. */
    private static final Duration LONGEST_REST = Duration.ofMillis(50);

    private final Windows windows;

    private final ObservationEncoder encoder;

    private final ObservationPublisher publisher;

    private final OutsideRequests outside;

    private final InstantSource clock;

    private final Worker worker;

    Sealer(Windows windows, ObservationEncoder encoder, ObservationPublisher publisher, OutsideRequests outside,
            InstantSource clock) {
        this.windows = windows;
        this.encoder = encoder;
        this.publisher = publisher;
        this.outside = outside;
        this.clock = clock;
        worker = Worker.start("redliner-collector-sealer", pause -> {
            sealDue();
            pause.take(rest());
        });
    }

    private void sealDue() {
        List<SealedWindow> sealed = windows.seal(clock.instant());
        Optional<ClockOffset> offset = sealed.isEmpty() ? Optional.empty() : publisher.clockOffset();
        for (SealedWindow window : sealed) {
            publisher.publish(encoder.encode(window, offset));
            outside.count(window);
            windows.release(window);
        }
    }

    /** Until a window can be sealed. */
    private Duration rest() {
        Instant now = clock.instant();
        Duration rest = windows.sealableAt().map(due -> Duration.between(now, due)).orElse(LONGEST_REST);
        return rest.compareTo(TICK) < 0 ? TICK : rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest;
    }

    boolean isAlive() {
        return worker.isAlive();
    }

    @Override
    public void close() {
        worker.close();
    }
}

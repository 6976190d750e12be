// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.messaging;

import io.redliner.collector.window.SealedWindow;
import io.redliner.collector.window.Windows;
import io.redliner.collector.worker.Worker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Seals windows as soon as they are due, and hands them on. */
final class Sealer implements AutoCloseable {

    /** A fraction of the shortest useful window, so that sealing adds next to nothing to its age. */
    private static final Duration TICK = Duration.ofMillis(20);

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
            pause.take(TICK);
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

    boolean isAlive() {
        return worker.isAlive();
    }

    @Override
    public void close() {
        worker.close();
    }
}

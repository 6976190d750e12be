// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.micrometer.core.instrument.Timer;
import io.redliner.standalone.demo.DemoFleet;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Has an instance tell of a collection every second, and of one that wears out grow slower and collect for longer. */
final class Wear implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(10);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    private final AtomicInteger seconds = new AtomicInteger();

    private final DemoFleet fleet;

    private final String instance;

    private final Duration perSecond;

    private final Timer collections;

    /** @param perSecond growth of each answer's latency and each collection's pause */
    Wear(DemoFleet fleet, String instance, Duration perSecond) {
        this.fleet = fleet;
        this.instance = instance;
        this.perSecond = perSecond;
        this.collections = Timer.builder("jvm.gc.pause")
                .tags("action", "end of minor GC", "cause", "Allocation Failure")
                .register(fleet.metrics(instance));
        var unused = clock.scheduleAtFixedRate(this::age, 1, 1, TimeUnit.SECONDS);
    }

    private void age() {
        Duration worn = perSecond.multipliedBy(seconds.incrementAndGet());
        fleet.delay(instance, worn);
        collections.record(PAUSE.plus(worn));
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

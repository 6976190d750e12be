// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * Time that passes only when a test lets it pass, in slices of {@value #SLICE_MS} ms. All workers run on the thread that
 * lets time pass, in the order in which they were made, so that a run in virtual time is the same each time.
 */
public final class VirtualTime implements InstantSource {

    static final long SLICE_MS = 50;

    private static final Duration SLICE = Duration.ofMillis(SLICE_MS);

    /** Virtual time after which a condition is given up. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final List<VirtualTicker.VirtualWorker> workers = new CopyOnWriteArrayList<>();

    private volatile Instant now;

    public VirtualTime(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** What one process's workers run on. */
    public VirtualTicker ticker() {
        return new VirtualTicker(this);
    }

    /** Lets time pass. */
    public void advance(Duration time) {
        for (long slices = Math.ceilDiv(time.toMillis(), SLICE_MS); slices > 0; slices--) {
            slice();
        }
    }

    /** Lets time pass until the condition is met. */
    public void until(BooleanSupplier condition) {
        Instant limit = now.plus(LIMIT);
        while (!condition.getAsBoolean()) {
            if (!now.isBefore(limit)) {
                throw new AssertionError("the condition was not met within " + LIMIT + " of virtual time");
            }
            slice();
        }
    }

    /** Lets time pass, and checks after each slice that the condition is still met. */
    public void during(Duration time, BooleanSupplier condition) {
        for (long slices = Math.ceilDiv(time.toMillis(), SLICE_MS); slices > 0; slices--) {
            slice();
            if (!condition.getAsBoolean()) {
                throw new AssertionError("the condition was not met at " + now);
            }
        }
    }

    private synchronized void slice() {
        now = now.plus(SLICE);
        workers.forEach(VirtualTicker.VirtualWorker::work);
    }

    void add(VirtualTicker.VirtualWorker worker) {
        workers.add(worker);
    }

    void remove(VirtualTicker.VirtualWorker worker) {
        workers.remove(worker);
    }
}

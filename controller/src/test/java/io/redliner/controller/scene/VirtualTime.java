// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.controller.port.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Time that passes only when a test lets it pass, in slices of {@value #SLICE_MS} ms. All workers run on the thread that
 * lets time pass, in the order in which they were made, so that a run in virtual time is the same each time.
 */
public final class VirtualTime implements InstantSource, Ticker {

    static final long SLICE_MS = 50;

    private static final Duration SLICE = Duration.ofMillis(SLICE_MS);

    /** Virtual time after which a condition is given up. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final List<VirtualWorker> workers = new CopyOnWriteArrayList<>();

    private volatile Instant now;

    public VirtualTime(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long nanoTime() {
        return Duration.between(Instant.EPOCH, now).toNanos();
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
        workers.forEach(VirtualWorker::work);
    }

    @Override
    public void pause(Duration time) {
        advance(time);
    }

    @Override
    public <T> Worker consume(String name, BlockingQueue<T> queue, Duration atMost, Consumer<@Nullable T> turn) {
        return new VirtualWorker() {

            private Instant last = Instant.MIN;

            @Override
            void step() {
                for (T next = queue.poll(); next != null && isAlive(); next = queue.poll()) {
                    turn.accept(next);
                    last = now;
                }
                if (isAlive() && !now.isBefore(last.plus(atMost))) {
                    turn.accept(null);
                    last = now;
                }
            }
        };
    }

    @Override
    public Worker repeat(String name, Duration pause, Runnable task) {
        return new VirtualWorker() {

            private Instant next = now.plus(pause);

            @Override
            void step() {
                if (!now.isBefore(next)) {
                    task.run();
                    next = now.plus(pause);
                }
            }
        };
    }

    private abstract class VirtualWorker implements Worker {

        private volatile boolean alive;

        private boolean working;

        abstract void step();

        /** A worker that lets time pass itself is not entered a second time. */
        final void work() {
            if (alive && !working) {
                working = true;
                try {
                    step();
                } catch (RuntimeException | Error fatal) {
                    alive = false;
                } finally {
                    working = false;
                }
            }
        }

        @Override
        public void start() {
            alive = true;
            workers.add(this);
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public void stop(Duration atMost) {
            alive = false;
            workers.remove(this);
        }
    }
}

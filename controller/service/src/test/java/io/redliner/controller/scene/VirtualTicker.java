// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.controller.core.port.WorkerScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The workers of one process in virtual time; all of them stand still while the process is held. */
public final class VirtualTicker implements WorkerScheduler {

    private final VirtualTime virtual;

    private volatile boolean held;

    VirtualTicker(VirtualTime virtual) {
        this.virtual = virtual;
    }

    /** As SIGSTOP does; time goes on for the others. */
    public void hold() {
        held = true;
    }

    /** As SIGCONT does. */
    public void resume() {
        held = false;
    }

    @Override
    public long nanoTime() {
        return Duration.between(Instant.EPOCH, virtual.instant()).toNanos();
    }

    @Override
    public void pause(Duration time) {
        virtual.advance(time);
    }

    @Override
    public <T> Worker consume(String name, BlockingQueue<T> queue, Duration atMost, Consumer<@Nullable T> turn) {
        return new VirtualWorker() {

            private Instant last = Instant.MIN;

            @Override
            void step() {
                for (T next = queue.poll(); next != null && isAlive(); next = queue.poll()) {
                    turn.accept(next);
                    last = virtual.instant();
                }
                if (isAlive() && !virtual.instant().isBefore(last.plus(atMost))) {
                    turn.accept(null);
                    last = virtual.instant();
                }
            }
        };
    }

    @Override
    public Worker repeat(String name, Duration pause, Runnable task) {
        return new VirtualWorker() {

            private Instant next = virtual.instant().plus(pause);

            @Override
            void step() {
                if (!virtual.instant().isBefore(next)) {
                    task.run();
                    next = virtual.instant().plus(pause);
                }
            }
        };
    }

    abstract class VirtualWorker implements Worker {

        private volatile boolean alive;

        private boolean working;

        abstract void step();

        /** A worker that lets time pass itself is not entered a second time. */
        final void work() {
            if (alive && !working && !held) {
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
            virtual.add(this);
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public void stop(Duration atMost) {
            alive = false;
            virtual.remove(this);
        }
    }
}

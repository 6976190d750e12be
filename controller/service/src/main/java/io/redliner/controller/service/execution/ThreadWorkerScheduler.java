// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.WorkerScheduler;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The machine's time; each worker is a daemon thread of its own. */
final class ThreadWorkerScheduler implements WorkerScheduler {

    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        never.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> Worker consume(String name, BlockingQueue<T> queue, Duration timeout, Consumer<@Nullable T> turn) {
        return new ThreadWorker(name, stopped -> turn.accept(queue.poll(timeout.toNanos(), TimeUnit.NANOSECONDS)));
    }

    @Override
    public Worker repeat(String name, Duration pause, Runnable task) {
        return new ThreadWorker(name, stopped -> {
            if (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                task.run();
            }
        });
    }

    private interface Step {

        void run(CountDownLatch stopped) throws InterruptedException;
    }

    private static final class ThreadWorker implements Worker {

        private final CountDownLatch stopped = new CountDownLatch(1);

        private final Thread thread;

        ThreadWorker(String name, Step step) {
            this.thread = Thread.ofPlatform().name(name).daemon().unstarted(() -> work(step));
        }

        private void work(Step step) {
            try {
                while (stopped.getCount() > 0) {
                    step.run(stopped);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void start() {
            thread.start();
        }

        @Override
        public boolean isAlive() {
            return thread.isAlive();
        }

        @Override
        public void stop(Duration timeout) {
            stopped.countDown();
            if (!thread.equals(Thread.currentThread())) {
                try {
                    thread.join(timeout);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}

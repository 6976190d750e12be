// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.concurrent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A named thread that repeats one job until it is closed. When the job throws, the thread ends and {@link #failure} has the
 * reason.
 */
public final class WorkerThread implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkerThread.class);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

    private final Thread thread;

    private final CountDownLatch closing = new CountDownLatch(1);

    private volatile @Nullable Throwable failure;

    private WorkerThread(String name, Turn turn) {
        thread = Thread.ofPlatform().name(name).daemon().unstarted(() -> work(turn));
    }

    /** Starts a thread that repeats the turn until it is closed. */
    public static WorkerThread start(String name, Turn turn) {
        WorkerThread worker = new WorkerThread(name, turn);
        worker.thread.start();
        return worker;
    }

    /** Returns whether the thread still runs. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Returns the exception that ended the thread. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Ends the thread, and waits at most a second for it. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            if (!thread.join(STOP_TIMEOUT)) {
                log.warn("The thread {} does not end", thread.getName());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // Health must report a thread that dies, whatever the reason.
    @SuppressWarnings("CatchingUnchecked")
    private void work(Turn turn) {
        try {
            boolean closed = false;
            while (!closed) {
                turn.take(this::pause);
                closed = closing.getCount() == 0;
            }
        } catch (Throwable e) {
            if (closing.getCount() > 0) {
                failure = e;
                log.error("The thread {} died", Thread.currentThread().getName(), e);
            }
        }
    }

    private void pause(Duration length) throws InterruptedException {
        if (closing.await(length.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new InterruptedException("closed");
        }
    }

    /** Does one turn of the job. */
    @FunctionalInterface
    public interface Turn {

        /** Does one part of the work. It may wait, and ends when it is interrupted. */
        void take(Pause pause) throws InterruptedException;
    }

    /** A pause within a turn. */
    @FunctionalInterface
    public interface Pause {

        /**
         * Waits.
         *
         * @throws InterruptedException when the worker is closed meanwhile
         */
        void take(Duration length) throws InterruptedException;
    }
}

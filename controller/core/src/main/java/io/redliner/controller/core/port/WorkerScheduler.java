// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets time pass for the controller's workers: the machine's time in production, virtual time in tests. */
public interface WorkerScheduler {

    /** Nanoseconds of a monotonic clock, as {@link System#nanoTime}. */
    long nanoTime();

    /** Waits. */
    void pause(Duration time) throws InterruptedException;

    /**
     * Returns a worker that takes what is put into the queue, one element at a time, in order.
     *
     * @param name of its thread
     * @param timeout time without an element after which {@code turn} is called with null
     * @param turn a failure that it throws ends the worker
     */
    <T> Worker consume(String name, BlockingQueue<T> queue, Duration timeout, Consumer<@Nullable T> turn);

    /**
     * Creates a worker that calls a task repeatedly.
     *
     * @param name of its thread
     * @param pause between the end of one call and the beginning of the next one; the first call comes after it as well
     * @param task a failure that it throws ends the worker
     */
    Worker repeat(String name, Duration pause, Runnable task);

    /** Something that works in the background, from {@link #start} until {@link #stop}. */
    interface Worker {

        /** Starts it, once. */
        void start();

        /** Returns true when the worker was started and has not ended. */
        boolean isAlive();

        /** Stops it after its current call, and waits for that. An interrupt ends the wait and stays set. */
        void stop(Duration timeout);
    }
}

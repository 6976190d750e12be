// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the parts of a command when it ends, by itself or by Ctrl-C: once, and the newest part first. So the stack, which
 * restores the traffic as it stops, is added after the fleet and its users.
 */
final class ShutdownSequence implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ShutdownSequence.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private final Consumer<String> output;

    private final String firstLine;

    private volatile boolean interrupted;

    private volatile boolean clean = true;

    /**
     * Creates an empty sequence.
     *
     * @param output gets the lines for the user who ends the process, on a thread of its own
     * @param firstLine the first of them
     */
    ShutdownSequence(Consumer<String> output, String firstLine) {
        this.output = output;
        this.firstLine = firstLine;
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("redliner-ending").unstarted(this::interrupt));
    }

    /** Adds a part that is stopped before those added earlier. */
    synchronized <T extends AutoCloseable> T register(T part) {
        parts.push(part);
        return part;
    }

    /** Returns whether the process is being ended from outside. Failures after that are expected and not reported. */
    boolean interrupted() {
        return interrupted;
    }

    /**
     * Waits for the end of the process when it is being ended from outside; then it has the signal's status. Callers use it after
     * a failure, which is expected while the parts are being stopped.
     */
    void awaitEndIfInterrupted() throws InterruptedException {
        if (interrupted) {
            new CountDownLatch(1).await();
        }
    }

    private void interrupt() {
        interrupted = true;
        if (!isEmpty()) {
            output.accept(firstLine);
            close();
            output.accept(clean
                    ? "Stopped, nothing is left behind."
                    : "Not everything stopped cleanly, see the log. Envoy drops the test weights by itself within 5 s.");
        }
    }

    private synchronized boolean isEmpty() {
        return parts.isEmpty();
    }

    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                log.warn("Cannot stop {} cleanly", part, e);
                clean = false;
            }
        }
    }
}

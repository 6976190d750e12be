// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What the clients of a server saw in one window, as a proxy between them would. A request is counted where it ends.
 * Mutable; grows by slices.
 */
public final class ServerWindowCounts {

    long arrivals;

    long slow;

    long timeouts;

    long rejects;

    long newlyOverdue;

    long settled;

    long inFlight;

    double busyWorkerSeconds;

    private int[] latencyMicros = new int[256];

    private int successes;

    void succeeded(double latencySeconds) {
        if (successes == latencyMicros.length) {
            latencyMicros = Arrays.copyOf(latencyMicros, 2 * successes);
        }
        latencyMicros[successes++] = (int) Math.min(Integer.MAX_VALUE, Math.ceil(latencySeconds * 1e6));
    }

    void add(ServerWindowCounts slice) {
        arrivals += slice.arrivals;
        slow += slice.slow;
        timeouts += slice.timeouts;
        rejects += slice.rejects;
        newlyOverdue += slice.newlyOverdue;
        settled += slice.settled;
        inFlight = slice.inFlight;
        busyWorkerSeconds += slice.busyWorkerSeconds;
        if (successes + slice.successes > latencyMicros.length) {
            latencyMicros = Arrays.copyOf(latencyMicros, 2 * (successes + slice.successes));
        }
        System.arraycopy(slice.latencyMicros, 0, latencyMicros, successes, slice.successes);
        successes += slice.successes;
    }

    void clear() {
        arrivals = 0;
        slow = 0;
        timeouts = 0;
        rejects = 0;
        newlyOverdue = 0;
        settled = 0;
        inFlight = 0;
        busyWorkerSeconds = 0;
        successes = 0;
    }

    /** Requests that began, retries included. */
    public long arrivals() {
        return arrivals;
    }

    /** Requests that were answered. */
    public long successes() {
        return successes;
    }

    /** Requests whose clients gave up waiting. */
    public long timeouts() {
        return timeouts;
    }

    /** Requests that were turned away, at once. */
    public long rejects() {
        return rejects;
    }

    /** Requests that were answered, or whose clients gave up. */
    public long served() {
        return successes + timeouts;
    }

    /** Of those {@link #served}, how many took longer than the limit. */
    public long slow() {
        return slow + timeouts;
    }

    /** Requests that ended. */
    public long completed() {
        return successes + timeouts + rejects;
    }

    /** Requests that ended without an answer. */
    public long errors() {
        return timeouts + rejects;
    }

    /** Requests that passed the limit in this window, and hung at its end. */
    public long newlyOverdue() {
        return newlyOverdue;
    }

    /** Requests that ended in this window, and were newly overdue in an earlier one. */
    public long settled() {
        return settled;
    }

    /** Requests whose clients waited when the window ended. */
    public long inFlight() {
        return inFlight;
    }

    /** Time that the workers worked, together. */
    public double busyWorkerSeconds() {
        return busyWorkerSeconds;
    }

    /** Of the answered requests. */
    public IntStream latencyMicros() {
        return Arrays.stream(latencyMicros, 0, successes);
    }
}

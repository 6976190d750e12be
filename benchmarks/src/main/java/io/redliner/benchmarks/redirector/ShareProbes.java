// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the proxy, over several kept-alive connections at once, without a pause or with a short one, and since when
 * one instance answers them all. Safe for use by several threads.
 */
final class ShareProbes implements AutoCloseable {

    /** So long nobody else must have answered. */
    private static final Duration SETTLED = Duration.ofMillis(15);

    private static final int SETTLED_ANSWERS = 8;

    private final InstantSource clock;

    private final long pauseNanos;

    private final List<KeepAliveClient> connections = new ArrayList<>();

    private final List<Thread> threads = new ArrayList<>();

    private volatile boolean closed;

    private int wanted;

    private @Nullable Instant since;

    /** Answers since then of each probe. */
    private final int[] answers;

    private long total;

    private @Nullable Throwable broken;

    ShareProbes(int port, int number, Duration pause, InstantSource clock) throws IOException {
        this.clock = clock;
        this.pauseNanos = pause.toNanos();
        this.answers = new int[number];
        for (int i = 0; i < number; i++) {
            int probe = i;
            var connection = new KeepAliveClient(port);
            connections.add(connection);
            threads.add(Thread.ofPlatform().start(() -> probe(connection, probe)));
        }
    }

    private void probe(KeepAliveClient connection, int probe) {
        byte[] request = KeepAliveClient.request("");
        try {
            while (!closed) {
                int side = connection.ask(request);
                answered(probe, side, clock.instant());
                if (pauseNanos > 0) {
                    LockSupport.parkNanos(pauseNanos);
                }
            }
        } catch (IOException | RuntimeException failed) {
            fail(failed);
        }
    }

    private synchronized void answered(int probe, int side, Instant at) {
        total++;
        if (side != wanted) {
            since = null;
            return;
        }
        if (since == null) {
            since = at;
            java.util.Arrays.fill(answers, 0);
        }
        answers[probe]++;
        if (settled(since, at)) {
            notifyAll();
        }
    }

    private boolean settled(Instant begin, Instant now) {
        return Duration.between(begin, now).compareTo(SETTLED) >= 0
                && java.util.Arrays.stream(answers).allMatch(number -> number >= SETTLED_ANSWERS);
    }

    private synchronized void fail(Throwable failed) {
        if (!closed) {
            broken = failed;
            notifyAll();
        }
    }

    /** From now on this instance is expected to get everything. */
    synchronized void expect(int instance) {
        wanted = instance;
        since = null;
    }

    /**
     * The first answer of the expected instance after which nobody else answered.
     *
     * @throws IllegalStateException when others still answer after a while
     */
    synchronized Instant await(Duration timeout) throws InterruptedException {
        var deadline = clock.instant().plus(timeout);
        while (true) {
            if (broken != null) {
                throw new IllegalStateException("A probe broke", broken);
            }
            var begin = since;
            var now = clock.instant();
            if (begin != null && settled(begin, now)) {
                return begin;
            }
            long left = Duration.between(now, deadline).toMillis();
            if (left <= 0) {
                throw new IllegalStateException("Instance " + wanted + " does not get everything after " + timeout);
            }
            wait(Math.min(left, SETTLED.toMillis()));
        }
    }

    /** Answers so far. */
    synchronized long total() {
        return total;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closed = true;
        for (var connection : connections) {
            connection.close();
        }
        for (var thread : threads) {
            thread.join();
        }
    }
}

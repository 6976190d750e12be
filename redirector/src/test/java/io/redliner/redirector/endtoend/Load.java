// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests of many clients at once. Requests under way when something changes are the point: most clients ask for what takes a
 * fifth of a second.
 */
final class Load implements AutoCloseable {

    private static final int SLOW_CLIENTS = 24;

    private final int port;

    private final AtomicInteger left;

    private final AtomicInteger done = new AtomicInteger();

    private final Map<String, Integer> answers = new ConcurrentHashMap<>();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private final List<CompletableFuture<Void>> clients = new ArrayList<>();

    /**
     * Starts to send.
     *
     * @param fast how many of the clients send the next request as soon as they have an answer
     * @param requests how many are sent at most
     */
    Load(int port, int fast, int requests) {
        this.port = port;
        this.left = new AtomicInteger(requests);
        for (int client = 0; client < fast + SLOW_CLIENTS; client++) {
            String path = client < fast ? "/" : "/slow";
            clients.add(CompletableFuture.runAsync(() -> send(path), threads));
        }
    }

    private void send(String path) {
        try (Traffic traffic = new Traffic(port)) {
            while (left.getAndDecrement() > 0) {
                answers.merge(traffic.at(path), 1, Integer::sum);
                done.incrementAndGet();
            }
        }
    }

    /** How many requests were answered with 200 so far. Fails when one was not. */
    int done() {
        clients.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(CompletableFuture::join);
        return done.get();
    }

    /** Waits until all requests are answered, and counts them by instance. Fails when one has another status than 200. */
    Map<String, Integer> finish() {
        clients.forEach(CompletableFuture::join);
        return new TreeMap<>(answers);
    }

    /** Like {@link #finish}, without the requests that are left. */
    Map<String, Integer> stop() {
        left.set(0);
        return finish();
    }

    @Override
    public void close() {
        left.set(0);
        threads.shutdownNow();
    }
}

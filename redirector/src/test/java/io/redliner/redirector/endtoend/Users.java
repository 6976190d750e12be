// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Requests at a steady pace, for as long as it is open, counted by status. */
final class Users implements AutoCloseable {

    private static final int PACE_MILLIS = 4;

    private final Traffic traffic;

    private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    // A request that gets no answer at all ends the pace, and await() notices.
    @SuppressWarnings("FutureReturnValueIgnored")
    Users(int port) {
        traffic = new Traffic(port);
        thread.scheduleAtFixedRate(() -> statuses.merge(traffic.status(), 1, Integer::sum), 0, PACE_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** By status, what users got so far. */
    Map<Integer, Integer> statuses() {
        return new TreeMap<>(statuses);
    }

    private int sent() {
        return statuses.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Waits until so many more requests are answered. */
    void await(int more) {
        int wanted = sent() + more;
        org.awaitility.Awaitility.await().until(() -> sent() >= wanted);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        traffic.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes the followers of a run when a decision of that run was stored. Safe for use by several threads. */
public final class RunChangeNotifier {

    private final Map<String, Set<Follower>> followers = new ConcurrentHashMap<>();

    /** Begins to follow a run, until the follower is closed. */
    public Follower follow(String runId) {
        Follower follower = new Follower(runId);
        followers.compute(runId, (id, others) -> {
            Set<Follower> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(follower);
            return all;
        });
        return follower;
    }

    void changed(Collection<String> runIds) {
        for (String id : runIds) {
            followers.getOrDefault(id, Set.of()).forEach(follower -> follower.changes.release());
        }
    }

    /** One that follows a run. For one thread. */
    public final class Follower implements AutoCloseable {

        private final String runId;

        private final Semaphore changes = new Semaphore(0);

        private Follower(String runId) {
            this.runId = runId;
        }

        /**
         * Waits until the run has changed since the last wait.
         *
         * @return false when that did not happen in time
         */
        public boolean await(Duration atMost) throws InterruptedException {
            boolean changed = changes.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
            changes.drainPermits();
            return changed;
        }

        @Override
        public void close() {
            followers.computeIfPresent(runId, (id, all) -> {
                all.remove(this);
                return all.isEmpty() ? null : all;
            });
        }
    }
}

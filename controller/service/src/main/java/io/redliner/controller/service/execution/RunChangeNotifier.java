// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Wakes the followers of a run when a decision of that run was stored. Safe for use by several threads. */
public final class RunChangeNotifier {

    private final Map<String, Followed> runs = new ConcurrentHashMap<>();

    private record Followed(Set<Follower> followers, AtomicLong changes) {}

    /** Begins to follow a run, until the follower is closed. */
    public Follower follow(String runId) {
        Follower follower = new Follower(runId);
        runs.compute(runId, (id, followed) -> {
            Followed all = followed == null ? new Followed(ConcurrentHashMap.newKeySet(), new AtomicLong()) : followed;
            follower.changes = all.changes;
            all.followers.add(follower);
            return all;
        });
        return follower;
    }

    void changed(Collection<String> runIds) {
        for (String id : runIds) {
            Followed followed = runs.get(id);
            if (followed != null) {
                followed.changes.incrementAndGet();
                followed.followers.forEach(follower -> follower.woken.release());
            }
        }
    }

    /** A follower of a run. For one thread. */
    public final class Follower implements AutoCloseable {

        private final String runId;

        private final Semaphore woken = new Semaphore(0);

        private AtomicLong changes = new AtomicLong();

        private Follower(String runId) {
            this.runId = runId;
        }

        /** Returns the number of changes of the run since its first present follower began; the same for all its followers. */
        public long changes() {
            return changes.get();
        }

        /**
         * Waits until the run has changed since the last wait.
         *
         * @return false when that did not happen in time
         */
        public boolean await(Duration timeout) throws InterruptedException {
            boolean changed = woken.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
            woken.drainPermits();
            return changed;
        }

        @Override
        public void close() {
            runs.computeIfPresent(runId, (id, followed) -> {
                followed.followers.remove(this);
                return followed.followers.isEmpty() ? null : followed;
            });
        }
    }
}

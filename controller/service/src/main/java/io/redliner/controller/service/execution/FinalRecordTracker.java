// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.StoredRun;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Stores of which runs Kafka has taken the final record. */
final class FinalRecordTracker {

    private final RunRepository store;

    private final InstantSource clock;

    private final Queue<StoredRun> delivered = new ConcurrentLinkedQueue<>();

    FinalRecordTracker(RunRepository store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Called by Kafka's thread, which must not wait for the database. */
    void delivered(StoredRun run) {
        delivered.add(run);
    }

    /** Stores what was delivered. */
    void flush() {
        for (StoredRun run = delivered.peek(); run != null; run = delivered.peek()) {
            store.markFinalPublished(run.id(), clock.instant());
            delivered.remove(run);
        }
    }
}

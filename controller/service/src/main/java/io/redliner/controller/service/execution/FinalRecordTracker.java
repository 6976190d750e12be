// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.StoredRun;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Stores which final records of runs Kafka has taken. */
final class FinalRecordTracker {

    private final RunRepository runs;

    private final InstantSource clock;

    private final Queue<StoredRun> delivered = new ConcurrentLinkedQueue<>();

    FinalRecordTracker(RunRepository runs, InstantSource clock) {
        this.runs = runs;
        this.clock = clock;
    }

    /** Notes that the final record of a run was delivered. Called by Kafka's thread, which must not wait for the database. */
    void delivered(StoredRun run) {
        delivered.add(run);
    }

    /** Stores what was delivered. */
    void flush() {
        for (StoredRun run = delivered.peek(); run != null; run = delivered.peek()) {
            runs.markFinalPublished(run.id(), clock.instant());
            delivered.remove(run);
        }
    }
}

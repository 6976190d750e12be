// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.driver.RunSignals;
import io.redliner.controller.jdbc.JournalEntry;
import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.port.StoredRun;
import io.redliner.controller.run.RunState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Server-sent events of runs: each notable journal entry once, with its sequence as id, from any sequence on; then, when
 * the run is finished, one event {@code end} with the run, and the end of the stream.
 */
final class RunStream implements AutoCloseable {

    private static final int BATCH = 200;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final RunQueries runs;

    private final RunViews views;

    private final RunSignals signals;

    private final InstantSource clock;

    private final Followers followers = new Followers();

    RunStream(RunQueries runs, RunViews views, RunSignals signals, InstantSource clock) {
        this.runs = runs;
        this.views = views;
        this.signals = signals;
        this.clock = clock;
    }

    SseEmitter follow(String runId, long after) {
        return followers.follow("the events of run " + runId, emitter -> tell(emitter, runId, after));
    }

    private void tell(SseEmitter emitter, String runId, long after) throws IOException, InterruptedException {
        long sent = after;
        Instant heard = clock.instant();
        emitter.send(SseEmitter.event().comment("run " + runId).reconnectTime(1000));
        while (true) {
            long seen = signals.changes();
            StoredRun run = runs.find(runId).orElseThrow(() -> new IllegalStateException("run " + runId + " is gone"));
            List<JournalEntry> entries = runs.journal(runId, sent, BATCH, true);
            for (JournalEntry entry : entries) {
                emitter.send(SseEmitter.event().id(Long.toString(entry.sequence())).data(EventView.of(entry)));
                sent = entry.sequence();
                heard = clock.instant();
            }
            if (entries.isEmpty() && run.state() instanceof RunState.Finished) {
                emitter.send(SseEmitter.event().name("end").data(views.full(run)));
                return;
            }
            if (entries.isEmpty()) {
                if (clock.instant().isAfter(heard.plus(HEARTBEAT))) {
                    emitter.send(SseEmitter.event().comment("still here"));
                    heard = clock.instant();
                }
                signals.await(seen, LOOK_AGAIN);
            }
        }
    }

    @Override
    public void close() {
        followers.close();
    }
}

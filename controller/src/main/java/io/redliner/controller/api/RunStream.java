// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.driver.RunSignals;
import io.redliner.controller.jdbc.JournalEntry;
import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.run.RunState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Server-sent events of runs: each notable journal entry once, with its sequence as id, from any sequence on; then, when
 * the run is finished, one event {@code end} with the run, and the end of the stream. Each follower has a thread of its
 * own, so that a slow one holds up nobody.
 */
final class RunStream implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunStream.class);

    private static final int MOST_FOLLOWERS = 200;

    private static final int BATCH = 200;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final RunQueries runs;

    private final RunViews views;

    private final RunSignals signals;

    private final InstantSource clock;

    private final Set<Thread> followers = ConcurrentHashMap.newKeySet();

    RunStream(RunQueries runs, RunViews views, RunSignals signals, InstantSource clock) {
        this.runs = runs;
        this.views = views;
        this.signals = signals;
        this.clock = clock;
    }

    SseEmitter follow(String runId, long after) {
        if (followers.size() >= MOST_FOLLOWERS) {
            throw new ProblemException(ProblemType.TOO_MANY_FOLLOWERS, "at most " + MOST_FOLLOWERS + " at once");
        }
        SseEmitter emitter = new SseEmitter(0L);
        Thread follower = Thread.ofVirtual().name("run-events-" + runId).unstarted(() -> send(emitter, runId, after));
        followers.add(follower);
        emitter.onError(failure -> follower.interrupt());
        emitter.onCompletion(follower::interrupt);
        follower.start();
        return emitter;
    }

    private void send(SseEmitter emitter, String runId, long after) {
        try {
            run(emitter, runId, after);
            emitter.complete();
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a follower of run {} left", runId, gone);
        } catch (InterruptedException closing) {
            emitter.complete();
        } catch (NestedRuntimeException failure) {
            LOG.warn("the events of run {} cannot be read: {}", runId, failure.getMessage());
            emitter.complete();
        } finally {
            followers.remove(Thread.currentThread());
        }
    }

    private void run(SseEmitter emitter, String runId, long after) throws IOException, InterruptedException {
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
        followers.forEach(Thread::interrupt);
    }
}

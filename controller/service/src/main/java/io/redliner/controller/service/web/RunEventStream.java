// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.service.execution.RunChangeNotifier;
import io.redliner.controller.service.persistence.JournalNote;
import io.redliner.controller.service.persistence.RunReadRepository;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Server-sent events of runs: each notable journal entry once, with its sequence as id, from any sequence on; then, when
 * the run is finished, one event {@code end} with the run, and the end of the stream.
 */
final class RunEventStream implements AutoCloseable {

    private static final int BATCH = 200;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final RunReadRepository runs;

    private final RunViewAssembler views;

    private final RunChangeNotifier signals;

    private final InstantSource clock;

    private final SseSubscribers followers = new SseSubscribers();

    RunEventStream(RunReadRepository runs, RunViewAssembler views, RunChangeNotifier signals, InstantSource clock) {
        this.runs = runs;
        this.views = views;
        this.signals = signals;
        this.clock = clock;
    }

    SseEmitter follow(String runId, long after) {
        return followers.follow("the events of run " + runId, emitter -> tell(emitter, runId, after));
    }

    private void tell(SseEmitter emitter, String runId, long after) throws IOException, InterruptedException {
        try (RunChangeNotifier.Follower follower = signals.follow(runId)) {
            follow(emitter, runId, after, follower);
        }
    }

    private void follow(SseEmitter emitter, String runId, long after, RunChangeNotifier.Follower follower)
            throws IOException, InterruptedException {
        long sent = after;
        Instant sentAt = clock.instant();
        Optional<RunReadRepository.Progress> known = Optional.empty();
        emitter.send(SseEmitter.event().comment("run " + runId).reconnectTime(1000));
        while (true) {
            Optional<RunReadRepository.Progress> progress = runs.progress(runId);
            // Most looks of most followers find nothing new, and cost no more than this.
            List<JournalNote> entries = progress.equals(known) ? List.of() : runs.journal(runId, sent, BATCH, true);
            RunEnd ending = ending(runId, entries);
            for (JournalNote entry : entries) {
                emitter.send(
                        SseEmitter.event().id(Long.toString(entry.sequence())).data(RunEventView.of(entry, ending)));
                sent = entry.sequence();
                sentAt = clock.instant();
            }
            if (!entries.isEmpty()) {
                continue;
            }
            known = progress;
            if (progress.orElseThrow(() -> new NoSuchElementException("run " + runId + " is gone")).finished()) {
                emitter.send(SseEmitter.event().name("end").data(views.full(runs.find(runId).orElseThrow())));
                return;
            }
            if (clock.instant().isAfter(sentAt.plus(HEARTBEAT))) {
                emitter.send(SseEmitter.event().comment("still here"));
                sentAt = clock.instant();
            }
            follower.await(LOOK_AGAIN);
        }
    }

    /** Of a run some of whose entries are about its end. */
    private @Nullable RunEnd ending(String runId, List<JournalNote> entries) {
        return entries.stream().anyMatch(DecisionView::isAboutTheEnd)
                ? runs.find(runId).map(run -> run.state().ending()).orElse(null)
                : null;
    }

    @Override
    public void close() {
        followers.close();
    }
}

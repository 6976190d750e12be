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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Server-sent events (SSE) of runs. A client gets each notable journal entry once, with its sequence as id, from any sequence
 * on. When the run is finished it gets one event {@code end} with the run, and the stream ends.
 */
final class RunEventStream implements AutoCloseable {

    private static final int BATCH = 200;

    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

    private final RunReadRepository runs;

    private final RunViewAssembler views;

    private final RunChangeNotifier notifier;

    private final InstantSource clock;

    private final SseSubscribers subscribers = new SseSubscribers();

    private final Map<String, SharedFeed> feeds = new ConcurrentHashMap<>();

    /** A feed and the number of clients that follow it now. */
    private record SharedFeed(RunEventFeed feed, int followers) {

        SharedFeed withFollowers(int number) {
            return new SharedFeed(feed, number);
        }
    }

    RunEventStream(RunReadRepository runs, RunViewAssembler views, RunChangeNotifier notifier, InstantSource clock) {
        this.runs = runs;
        this.views = views;
        this.notifier = notifier;
        this.clock = clock;
    }

    SseEmitter follow(String runId, long after) {
        return subscribers.follow("the events of run " + runId, emitter -> serve(emitter, runId, after));
    }

    private void serve(SseEmitter emitter, String runId, long after) throws IOException, InterruptedException {
        // The follower stays open as long as the feed is used, so the notifier does not begin to count changes anew.
        try (RunChangeNotifier.Follower follower = notifier.follow(runId)) {
            RunEventFeed feed = feeds
                    .compute(runId, (id, shared) -> shared == null
                            ? new SharedFeed(feed(id), 1)
                            : shared.withFollowers(shared.followers() + 1))
                    .feed();
            try {
                send(emitter, runId, after, follower, feed);
            } finally {
                feeds.computeIfPresent(runId, (id, shared) -> shared.followers() == 1
                        ? null
                        : shared.withFollowers(shared.followers() - 1));
            }
        }
    }

    private RunEventFeed feed(String runId) {
        return new RunEventFeed(new RunEventFeed.Source() {

            @Override
            public Optional<RunReadRepository.Progress> progress() {
                return runs.progress(runId);
            }

            @Override
            public List<JournalNote> journal(long after, int limit) {
                return runs.journal(runId, after, limit, true);
            }
        });
    }

    /** Sends events until the run is finished, and a comment after each heartbeat interval without one. */
    private void send(SseEmitter emitter, String runId, long after, RunChangeNotifier.Follower follower,
            RunEventFeed feed) throws IOException, InterruptedException {
        long sent = after;
        Instant sentAt = clock.instant();
        emitter.send(SseEmitter.event().comment("run " + runId).reconnectTime(1000));
        while (true) {
            RunEventFeed.Next next = feed.next(sent, follower.changes(), BATCH);
            RunEnd ending = ending(runId, next.entries());
            for (JournalNote note : next.entries()) {
                emitter.send(
                        SseEmitter.event().id(Long.toString(note.sequence())).data(RunEventView.of(note, ending)));
                sent = note.sequence();
                sentAt = clock.instant();
            }
            if (!next.entries().isEmpty()) {
                continue;
            }
            if (next.finished()) {
                emitter.send(SseEmitter.event().name("end").data(views.full(runs.find(runId).orElseThrow())));
                return;
            }
            if (clock.instant().isAfter(sentAt.plus(HEARTBEAT_INTERVAL))) {
                emitter.send(SseEmitter.event().comment("still here"));
                sentAt = clock.instant();
            }
            follower.await(RunEventFeed.POLL_INTERVAL);
        }
    }

    /** The end of the run if one of the entries is about it; otherwise null. */
    private @Nullable RunEnd ending(String runId, List<JournalNote> entries) {
        return entries.stream().anyMatch(DecisionView::isAboutTheEnd)
                ? runs.find(runId).map(run -> run.state().ending()).orElse(null)
                : null;
    }

    @Override
    public void close() {
        subscribers.close();
    }
}

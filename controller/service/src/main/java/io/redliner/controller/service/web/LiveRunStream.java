// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.LiveRunRepository;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Tells followers of all live runs: an event {@code runs} with the ids of those that are live, newest first, and those
 * that changed since the event before; all of them in the first. The database is asked once for all followers, and about
 * once a second while there are any. Who is slow skips what is old.
 */
final class LiveRunStream implements AutoCloseable {

    private static final int MOST_RUNS = 1000;

    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private final LiveRunRepository live;

    private final InstantSource clock;

    private final SseSubscribers followers = new SseSubscribers();

    private final ReentrantLock looking = new ReentrantLock();

    private final Semaphore nobody = new Semaphore(0);

    private Picture picture = new Picture(Instant.MIN, List.of(), Map.of());

    LiveRunStream(LiveRunRepository live, InstantSource clock) {
        this.live = live;
        this.clock = clock;
    }

    /** What there was to see at an instant; every id of the order is among the runs. */
    private record Picture(Instant at, List<String> order, Map<String, Seen> runs) {}

    /** @param view absent of a run that cannot be read, or that ended while it was looked for */
    private record Seen(long version, Optional<LiveRunView> view) {}

    /**
     * What followers are told.
     *
     * @param live ids of all live runs
     * @param runs those that changed
     */
    record News(Instant at, List<String> live, List<LiveRunView> runs) {}

    SseEmitter follow() {
        return followers.follow("live runs", this::tell);
    }

    private void tell(SseEmitter emitter) throws IOException, InterruptedException {
        emitter.send(SseEmitter.event().comment("live runs").reconnectTime(EVERY.toMillis()));
        Map<String, Long> told = new HashMap<>();
        News last = null;
        do {
            Picture now = look();
            News news = new News(now.at(), now.order(), changed(now, told));
            if (last == null || !news.runs().isEmpty() || !news.live().equals(last.live())
                    || news.at().isAfter(last.at().plus(HEARTBEAT))) {
                emitter.send(SseEmitter.event().name("runs").data(news));
                last = news;
            }
        } while (!nobody.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static List<LiveRunView> changed(Picture now, Map<String, Long> told) {
        told.keySet().retainAll(now.runs().keySet());
        return now.order().stream().filter(id -> {
            long version = Objects.requireNonNull(now.runs().get(id)).version();
            return !Objects.equals(told.put(id, version), version);
        }).flatMap(id -> Objects.requireNonNull(now.runs().get(id)).view().stream()).toList();
    }

    private Picture look() {
        // A monitor would hold the thread below a virtual one while the database answers.
        looking.lock();
        try {
            return newest();
        } finally {
            looking.unlock();
        }
    }

    private Picture newest() {
        Instant now = clock.instant();
        if (picture.at().isAfter(now.minus(EVERY.dividedBy(2)))) {
            return picture;
        }
        Map<String, Long> versions = live.versions(MOST_RUNS);
        Map<String, Seen> runs = new HashMap<>(picture.runs());
        runs.keySet().retainAll(versions.keySet());
        runs.entrySet().removeIf(known -> !Objects.equals(known.getValue().version(), versions.get(known.getKey())));
        List<String> changed = versions.keySet().stream().filter(id -> !runs.containsKey(id)).toList();
        changed.forEach(id -> runs.put(id, new Seen(versions.getOrDefault(id, 0L), Optional.empty())));
        live.find(changed).forEach(found -> runs.computeIfPresent(found.run().id(),
                (id, seen) -> new Seen(seen.version(), Optional.of(LiveRunView.of(found)))));
        picture = new Picture(now, List.copyOf(versions.keySet()), runs);
        return picture;
    }

    @Override
    public void close() {
        followers.close();
    }
}

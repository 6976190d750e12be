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
 * Streams all live runs to followers. An event {@code runs} has the ids of the live runs, newest first, and the runs that
 * changed since the event before. The first event has all runs. One query a second serves all followers, and none runs without
 * followers. A slow follower skips old events.
 */
final class LiveRunStream implements AutoCloseable {

    private static final int MAX_RUNS = 1000;

    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private final LiveRunRepository live;

    private final InstantSource clock;

    private final SseSubscribers subscribers = new SseSubscribers();

    private final ReentrantLock looking = new ReentrantLock();

    private final Semaphore nobody = new Semaphore(0);

    private Picture picture = new Picture(Instant.MIN, List.of(), Map.of());

    LiveRunStream(LiveRunRepository live, InstantSource clock) {
        this.live = live;
        this.clock = clock;
    }

    /** The live runs at an instant; every id of the order is among the runs. */
    private record Picture(Instant at, List<String> order, Map<String, Seen> runs) {}

    /** @param view absent of a run that cannot be read, or that ended while it was looked for */
    private record Seen(long version, Optional<LiveRunView> view) {}

    /**
     * An event of the stream.
     *
     * @param live ids of all live runs
     * @param runs those that changed
     */
    record Update(Instant at, List<String> live, List<LiveRunView> runs) {}

    SseEmitter follow() {
        return subscribers.follow("live runs", this::send);
    }

    private void send(SseEmitter emitter) throws IOException, InterruptedException {
        emitter.send(SseEmitter.event().comment("live runs").reconnectTime(EVERY.toMillis()));
        Map<String, Long> sent = new HashMap<>();
        Update last = null;
        do {
            Picture now = look();
            Update update = new Update(now.at(), now.order(), changed(now, sent));
            if (last == null || !update.runs().isEmpty() || !update.live().equals(last.live())
                    || update.at().isAfter(last.at().plus(HEARTBEAT))) {
                emitter.send(SseEmitter.event().name("runs").data(update));
                last = update;
            }
        } while (!nobody.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static List<LiveRunView> changed(Picture now, Map<String, Long> sent) {
        sent.keySet().retainAll(now.runs().keySet());
        return now.order().stream().filter(id -> {
            long version = Objects.requireNonNull(now.runs().get(id)).version();
            return !Objects.equals(sent.put(id, version), version);
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
        Map<String, Long> versions = live.versions(MAX_RUNS);
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
        subscribers.close();
    }
}

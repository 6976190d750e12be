// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.service.persistence.LiveRunRepository.Live;
import io.redliner.controller.service.persistence.LiveRunRepository;
import io.redliner.controller.service.report.HarmView;
import io.redliner.controller.service.report.RestoreView;
import io.redliner.controller.service.web.WindowView.EstimateView;
import io.redliner.controller.service.web.WindowView.RuleView;
import io.redliner.sla.Judgement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    private static final int MAX_UNPROVEN = 50;

    /** Runs that ended unproven are looked for when one has ended, and this often. */
    private static final Duration UNPROVEN_INTERVAL = Duration.ofSeconds(10);

    private final LiveRunRepository live;

    private final InstantSource clock;

    private final SseSubscribers subscribers = new SseSubscribers();

    private final ReentrantLock refreshLock = new ReentrantLock();

    private final Semaphore nobody = new Semaphore(0);

    private LiveRuns liveRuns = new LiveRuns(Instant.MIN, List.of(), Map.of(), new Unproven(Instant.MIN, List.of()));

    LiveRunStream(LiveRunRepository live, InstantSource clock) {
        this.live = live;
        this.clock = clock;
    }

    /** The live runs at an instant; every id of the order is among the runs. */
    private record LiveRuns(Instant at, List<String> order, Map<String, VersionedView> runs, Unproven unproven) {}

    /** The runs that had ended unproven at an instant. */
    private record Unproven(Instant at, List<UnprovenView> runs) {}

    /** @param view absent for a run that cannot be read, or that has ended meanwhile */
    private record VersionedView(long version, Optional<LiveRunView> view) {}

    /**
     * An event of the stream.
     *
     * @param live ids of all live runs
     * @param runs those that changed
     * @param unproven runs that ended and after which traffic was not measured as natural; first those after which it was measured
     *            otherwise, then the newest
     */
    record Update(Instant at, List<String> live, List<LiveRunView> runs, List<UnprovenView> unproven) {}

    /** A run that is over, and what is known of the traffic that it moved. */
    record UnprovenView(String id, String service, String sut, String phase, Instant finishedAt, double naturalShare,
            RestoreView restore) {

        static Stream<UnprovenView> of(StoredRun run) {
            RestoreView restore = RestoreView.of(run.state());
            return restore == null || run.finishedAt() == null
                    ? Stream.empty()
                    : Stream.of(new UnprovenView(run.id(), run.state().facts().service(), run.state().facts().sut(),
                            run.state().phase().wireName(), run.finishedAt(),
                            run.state().facts().naturalShare().ratio(), restore));
        }
    }

    SseEmitter follow() {
        return subscribers.follow("live runs", this::send);
    }

    private void send(SseEmitter emitter) throws IOException, InterruptedException {
        emitter.send(SseEmitter.event().comment("live runs").reconnectTime(EVERY.toMillis()));
        Map<String, Long> sent = new HashMap<>();
        Update last = null;
        do {
            LiveRuns now = refresh();
            Update update = new Update(now.at(), now.order(), changed(now, sent), now.unproven().runs());
            if (last == null || !update.runs().isEmpty() || !update.live().equals(last.live())
                    || !update.unproven().equals(last.unproven())
                    || update.at().isAfter(last.at().plus(HEARTBEAT))) {
                emitter.send(SseEmitter.event().name("runs").data(update));
                last = update;
            }
        } while (!nobody.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static List<LiveRunView> changed(LiveRuns now, Map<String, Long> sent) {
        sent.keySet().retainAll(now.runs().keySet());
        return now.order().stream().filter(id -> {
            long version = Objects.requireNonNull(now.runs().get(id)).version();
            return !Objects.equals(sent.put(id, version), version);
        }).flatMap(id -> Objects.requireNonNull(now.runs().get(id)).view().stream()).toList();
    }

    private LiveRuns refresh() {
        // A monitor would hold the thread below a virtual one while the database answers.
        refreshLock.lock();
        try {
            return newest();
        } finally {
            refreshLock.unlock();
        }
    }

    private LiveRuns newest() {
        Instant now = clock.instant();
        if (liveRuns.at().isAfter(now.minus(EVERY.dividedBy(2)))) {
            return liveRuns;
        }
        Map<String, Long> versions = live.versions(MAX_RUNS);
        Map<String, VersionedView> runs = new HashMap<>(liveRuns.runs());
        runs.keySet().retainAll(versions.keySet());
        runs.entrySet().removeIf(known -> !Objects.equals(known.getValue().version(), versions.get(known.getKey())));
        List<String> changed = versions.keySet().stream().filter(id -> !runs.containsKey(id)).toList();
        changed.forEach(id -> runs.put(id, new VersionedView(versions.getOrDefault(id, 0L), Optional.empty())));
        live.find(changed).forEach(found -> runs.computeIfPresent(found.run().id(),
                (id, versionedView) -> new VersionedView(versionedView.version(), Optional.of(LiveRunView.of(found)))));
        liveRuns = new LiveRuns(now, List.copyOf(versions.keySet()), runs,
                unproven(now, versions.keySet().containsAll(liveRuns.order())));
        return liveRuns;
    }

    private Unproven unproven(Instant now, boolean noneEnded) {
        Unproven known = liveRuns.unproven();
        return noneEnded && known.at().isAfter(now.minus(UNPROVEN_INTERVAL))
                ? known
                : new Unproven(now, live.unproven(now, MAX_UNPROVEN).stream()
                        .flatMap(UnprovenView::of).toList());
    }

    @Override
    public void close() {
        subscribers.close();
    }

    /**
     * A live run at a glance. Shares are ratios, times seconds, rates requests/s.
     *
     * @param windowEndedAt when the newest window ended; with the fields behind it absent while there is none
     * @param rule of the SLA and the guards, broken ones first, the one that uses most of its limit; none that is only
     *            informational
     * @param limitAt when its longest duration or a freeze ends it; absent before it has begun and once its end is decided
     * @param pause whether its traffic is natural; absent when it is not paused
     * @param window of its newest window, what says which state the run is in and who is hurt
     * @param approval that it waits for; absent when it waits for none
     */
    record LiveRunView(String id, String service, String sut, String plan, String profile, String phase,
            Instant submittedAt, double askedShare, double maxShare, HarmView harm, double windowSeconds,
            double maxDurationSeconds, @Nullable Instant windowEndedAt, @Nullable Double measuredShare,
            @Nullable Double requestsPerSecond, @Nullable Double latencyP99Seconds, @Nullable RuleView rule,
            double naturalShare, @Nullable Double serviceRequestsPerSecond, @Nullable EstimateView estimate,
            @Nullable Instant limitAt, RunView.@Nullable PauseView pause, @Nullable LiveWindowView window,
            RunView.@Nullable ApprovalView approval) {

        private static final Comparator<RuleView> URGENCY = Comparator
                .comparing((RuleView rule) -> rule.judgement().equals(Judgement.BREACHED.name()))
                .thenComparingDouble(rule -> rule.utilisation() == null ? -1 : rule.utilisation());

        static LiveRunView of(Live live) {
            RunView run = RunView.full(live.run(), live.window(), null, List.of());
            JudgedWindow judged = live.window();
            WindowView window = run.window();
            return new LiveRunView(run.id(), run.service(), run.sut(), run.plan(), run.profile(), run.phase(),
                    run.submittedAt(), run.askedShare(), run.maxShare(), run.harm(), run.windowSeconds(),
                    run.maxDurationSeconds(), judged == null ? null : judged.verdict().windowEnd(),
                    window == null ? null : window.shareMeasured(), window == null ? null : window.requestsPerSecond(),
                    window == null ? null : window.latencyP99Seconds(), window == null ? null : urgent(window.rules()),
                    run.naturalShare(), window == null ? null : window.serviceRequestsPerSecond(),
                    window == null ? null : window.estimate(), run.limit() == null ? null : run.limit().at(),
                    run.pause(),
                    window == null ? null : LiveWindowView.of(window), run.approval());
        }

        /** The newest window; counts are of requests that broke the SLA, see {@link WindowView}. */
        record LiveWindowView(double lengthSeconds, String judgement, double shareAsked, double brokenRequests,
                @Nullable Double brokenAtPeersRate, SearchAdvice advice) {

            static LiveWindowView of(WindowView window) {
                return new LiveWindowView(window.lengthSeconds(), window.judgement(), window.shareAsked(),
                        window.brokenRequests(), window.brokenAtPeersRate(), window.advice());
            }
        }

        private static @Nullable RuleView urgent(List<RuleView> rules) {
            return rules.stream().filter(rule -> !rule.informational()).max(URGENCY).orElse(null);
        }
    }
}

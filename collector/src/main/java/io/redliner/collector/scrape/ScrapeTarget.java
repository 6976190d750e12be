// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.windowing.InstanceId;
import io.redliner.contract.retry.Backoff;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One instance that is scraped, at a moment of its own in each interval. */
final class ScrapeTarget {

    /** Maximum number of skipped intervals: a target that does not answer is scraped about once in ten intervals. */
    private static final int MAX_TURNS = 10;

    private final InstanceId instanceId;

    private final URI uri;

    private final long intervalMillis;

    private final long offsetMillis;

    private final Backoff backoff;

    private final Duration longestPause;

    private final AtomicBoolean underWay = new AtomicBoolean();

    private long turn;

    private volatile Instant pausedUntil = Instant.MIN;

    private volatile @Nullable String problem;

    /**
     * Creates a target.
     *
     * @param offset of its moment in the interval
     */
    ScrapeTarget(InstanceId instanceId, URI uri, Duration interval, Duration offset, InstantSource clock) {
        this.instanceId = instanceId;
        this.uri = uri;
        this.intervalMillis = interval.toMillis();
        this.offsetMillis = offset.toMillis();
        this.backoff = new Backoff(interval.dividedBy(2), interval.multipliedBy(MAX_TURNS), clock);
        this.longestPause = interval.multipliedBy(MAX_TURNS * 2L);
        this.turn = turn(clock.instant());
    }

    InstanceId instanceId() {
        return instanceId;
    }

    URI uri() {
        return uri;
    }

    /** Returns the URL without its query, which may contain a secret. */
    String place() {
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + uri.getPath();
    }

    /** Returns the milliseconds until its next moment, however the clock was set in between; 0 or less: now. */
    long millisToWait(Instant now) {
        return turn(now) == turn || isPaused(now)
                ? intervalMillis - Math.floorMod(now.toEpochMilli() - offsetMillis, intervalMillis)
                : 0;
    }

    /** Returns whether the pause after a failure is not over yet. It never lasts long, also when the clock was set back. */
    private boolean isPaused(Instant now) {
        Instant until = pausedUntil;
        return until.isAfter(now) && until.isBefore(now.plus(longestPause));
    }

    /** Begins a request. Returns false when its last request is still under way. */
    boolean begin(Instant now) {
        if (!underWay.compareAndSet(false, true)) {
            return false;
        }
        turn = turn(now);
        return true;
    }

    /**
     * Ends a request that was answered.
     *
     * @param what is wrong with the answer; null: nothing
     */
    void answered(@Nullable String what) {
        backoff.succeeded();
        pausedUntil = Instant.MIN;
        end(what);
    }

    /** Ends a request that failed. The longer the failures last, the more intervals are skipped. */
    void failed(String what, Instant now) {
        pausedUntil = now.plus(backoff.failed());
        end(what);
    }

    private void end(@Nullable String what) {
        problem = what;
        underWay.set(false);
    }

    /** Returns the problem of its last answer. */
    Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private long turn(Instant now) {
        return Math.floorDiv(now.toEpochMilli() - offsetMillis, intervalMillis);
    }
}

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

/** One instance that is asked, at a moment of its own in each interval. */
final class ScrapeTarget {

    /** One that does not answer keeps at least about each tenth of its turns. */
    private static final int MAX_TURNS = 10;

    private final InstanceId subject;

    private final URI uri;

    private final long intervalMillis;

    private final long offsetMillis;

    private final Backoff backoff;

    private final Duration longestPause;

    private final AtomicBoolean underWay = new AtomicBoolean();

    private long turn;

    private volatile Instant pausedUntil = Instant.MIN;

    private volatile @Nullable String complaint;

    /** @param offset of its moment in the interval */
    ScrapeTarget(InstanceId subject, URI uri, Duration interval, Duration offset, InstantSource clock) {
        this.subject = subject;
        this.uri = uri;
        this.intervalMillis = interval.toMillis();
        this.offsetMillis = offset.toMillis();
        this.backoff = new Backoff(interval.dividedBy(2), interval.multipliedBy(MAX_TURNS), clock);
        this.longestPause = interval.multipliedBy(MAX_TURNS * 2L);
        this.turn = turn(clock.instant());
    }

    InstanceId subject() {
        return subject;
    }

    URI uri() {
        return uri;
    }

    /** The URL without its query, which may have a secret in it. */
    String place() {
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + uri.getPath();
    }

    /** How long until its next moment; 0 or less: now. However the clock was set in between. */
    long millisToWait(Instant now) {
        return turn(now) == turn || isPaused(now)
                ? intervalMillis - Math.floorMod(now.toEpochMilli() - offsetMillis, intervalMillis)
                : 0;
    }

    /** Returns whether the pause after a failure is not over yet; never for long, also when the clock was set back. */
    private boolean isPaused(Instant now) {
        Instant until = pausedUntil;
        return until.isAfter(now) && until.isBefore(now.plus(longestPause));
    }

    /** Whether it may be asked now: it is not, when its last answer is still waited for. */
    boolean begin(Instant now) {
        if (!underWay.compareAndSet(false, true)) {
            return false;
        }
        turn = turn(now);
        return true;
    }

    /**
     * It answered.
     *
     * @param what what there is to complain of; null: nothing
     */
    void answered(@Nullable String what) {
        backoff.succeeded();
        pausedUntil = Instant.MIN;
        end(what);
    }

    /** It did not answer: the longer it does not, the more of its turns are left out. */
    void failed(String what, Instant now) {
        pausedUntil = now.plus(backoff.failed());
        end(what);
    }

    private void end(@Nullable String what) {
        complaint = what;
        underWay.set(false);
    }

    /** What was wrong with its last answer. */
    Optional<String> complaint() {
        return Optional.ofNullable(complaint);
    }

    private long turn(Instant now) {
        return Math.floorDiv(now.toEpochMilli() - offsetMillis, intervalMillis);
    }
}

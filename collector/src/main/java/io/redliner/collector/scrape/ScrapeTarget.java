// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.windowing.InstanceId;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One instance that is asked, at a moment of its own in each interval. */
final class ScrapeTarget {

    private final InstanceId subject;

    private final URI uri;

    private final long intervalMillis;

    private final long offsetMillis;

    private final AtomicBoolean underWay = new AtomicBoolean();

    private long turn;

    private volatile @Nullable String complaint;

    /** @param offset of its moment in the interval */
    ScrapeTarget(InstanceId subject, URI uri, Duration interval, Duration offset, Instant now) {
        this.subject = subject;
        this.uri = uri;
        this.intervalMillis = interval.toMillis();
        this.offsetMillis = offset.toMillis();
        this.turn = turn(now);
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
        return turn(now) == turn
                ? intervalMillis - Math.floorMod(now.toEpochMilli() - offsetMillis, intervalMillis)
                : 0;
    }

    /** Whether it may be asked now: it is not, when its last answer is still waited for. */
    boolean begin(Instant now) {
        if (!underWay.compareAndSet(false, true)) {
            return false;
        }
        turn = turn(now);
        return true;
    }

    /** @param what what there is to complain of; null: nothing */
    void end(@Nullable String what) {
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

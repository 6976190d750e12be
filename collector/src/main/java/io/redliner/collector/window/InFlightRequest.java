// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A request that was sent to an instance and whose end is not in a sealed window yet. */
final class InFlightRequest {

    private final ProxyStream stream;

    private final String instance;

    private final Instant startedAt;

    private Instant leftAt = Instant.MAX;

    private boolean settles;

    /** The latency limits against which it was counted as overdue; mostly none. */
    private Set<Duration> counted = Set.of();

    InFlightRequest(ProxyStream stream, String instance, Instant startedAt) {
        this.stream = stream;
        this.instance = instance;
        this.startedAt = startedAt;
    }

    ProxyStream stream() {
        return stream;
    }

    String instance() {
        return instance;
    }

    Instant startedAt() {
        return startedAt;
    }

    boolean overdueBefore() {
        return !counted.isEmpty();
    }

    /**
     * It is in flight no longer.
     *
     * @param settling whether its latency is counted in the window of that time; a request that is merely forgotten
     *        stays counted as overdue, for it was slow
     */
    void leave(Instant at, boolean settling) {
        leftAt = at.isBefore(startedAt) ? startedAt : at;
        settles = settling;
    }

    boolean inFlightAt(Instant time) {
        return startedAt.isBefore(time) && !leftAt.isBefore(time);
    }

    boolean leftBefore(Instant time) {
        return leftAt.isBefore(time);
    }

    /** True once for each limit: when the request is older than it at that time. */
    boolean passes(Duration limit, Instant time) {
        if (startedAt.plus(limit).isBefore(time) && !counted.contains(limit)) {
            if (counted.isEmpty()) {
                counted = new HashSet<>();
            }
            counted.add(limit);
            return true;
        }
        return false;
    }

    boolean settles(Duration limit) {
        return settles && counted.contains(limit);
    }

    void keepOnly(List<Duration> limits) {
        if (!counted.isEmpty()) {
            counted.retainAll(limits);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.contract.sender.StatusSenders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A service that something is known of. */
public final class TrackedService {

    private static final Duration REDIRECTOR_TTL = Duration.ofSeconds(10);

    private final String name;

    private final ServiceAnalyzer analysis;

    /** The number of its last snapshot, 0 before the first. */
    private long snapshot;

    private long gaps;

    /** Whether more is known than what is stored. */
    private boolean unsaved;

    /** When the last window began in which proxies of a redirector reported to a collector, by redirector. */
    private final Map<String, Long> redirectors = new HashMap<>();

    private long takenOverMillis;

    /** Until then there may be observations of past windows that are yet to be read. */
    private Instant catchingUpUntil = Instant.MIN;

    /** Nothing of it is stored yet. */
    public TrackedService(String name, ServiceAnalyzer analysis) {
        this.name = name;
        this.analysis = analysis;
    }

    /** The service. */
    public String name() {
        return name;
    }

    /** What is known of it. */
    public ServiceAnalyzer analysis() {
        return analysis;
    }

    long snapshot() {
        return snapshot;
    }

    long nextSnapshot() {
        return ++snapshot;
    }

    /** Goes on from a snapshot. */
    void resumed(long number) {
        snapshot = number;
    }

    /** Whether more is known than what is stored. */
    public boolean isUnsaved() {
        return unsaved;
    }

    /** More is known than what is stored, or not. */
    public void unsaved(boolean more) {
        unsaved = more;
    }

    /**
     * This process takes the service over.
     *
     * @param catchUp how long windows wait for records that are still to be read
     */
    public void takenOver(Instant now, Duration catchUp) {
        takenOverMillis = now.toEpochMilli();
        catchingUpUntil = now.plus(catchUp);
    }

    /**
     * Ends the catch-up when all records that were sent before the takeover have been read. Records arrive in the order in which
     * they were sent, and the next ones may belong to the same window.
     */
    public void read(InstanceObservation observation, Instant now) {
        long end = observation.windowStartMillis() + observation.measured().length().toMillis();
        if (end > takenOverMillis && !analysis.isOver(end, now)) {
            catchingUpUntil = Instant.MIN;
        }
    }

    /** Notes whose proxies report to a collector. */
    public void seen(InstanceObservation observation) {
        observation.redirectors().stream()
                .filter(name -> redirectors.size() < StatusSenders.MAX_SENDERS || redirectors.containsKey(name))
                .forEach(name -> redirectors.merge(name, observation.windowStartMillis(), Math::max));
    }

    /** The redirectors whose proxies reported to a collector shortly before, by name. */
    public List<String> redirectors(Instant now) {
        redirectors.values().removeIf(at -> at < now.minus(REDIRECTOR_TTL).toEpochMilli());
        return redirectors.keySet().stream().sorted().toList();
    }

    /** Whether observations of past windows may be yet to be read. */
    public boolean catchingUp(Instant now) {
        return now.isBefore(catchingUpUntil);
    }

    /** Observations found missing since the last call. */
    public long newGaps() {
        long before = gaps;
        gaps = analysis.gaps();
        return gaps - before;
    }
}

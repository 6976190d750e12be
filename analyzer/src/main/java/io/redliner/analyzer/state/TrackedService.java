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

/** A service with its analyzer and the bookkeeping of its snapshots and of a takeover. */
public final class TrackedService {

    private static final Duration REDIRECTOR_TTL = Duration.ofSeconds(10);

    private final String name;

    private final ServiceAnalyzer analyzer;

    /** Number of the last snapshot, 0 before the first. */
    private long snapshot;

    private long gaps;

    /** True when the analysis has changed since it was last stored. */
    private boolean unsaved;

    /** Start of the last window in which a redirector's proxies reported to a collector, by redirector. */
    private final Map<String, Long> redirectors = new HashMap<>();

    private long takenOverMillis;

    /** End of the time in which observations of past windows may still have to be read. */
    private Instant catchingUpUntil = Instant.MIN;

    /** Creates a service of which nothing is stored. */
    public TrackedService(String name, ServiceAnalyzer analyzer) {
        this.name = name;
        this.analyzer = analyzer;
    }

    /** Returns the name of the service. */
    public String name() {
        return name;
    }

    /** Returns the analyzer of the service. */
    public ServiceAnalyzer analyzer() {
        return analyzer;
    }

    long snapshot() {
        return snapshot;
    }

    long nextSnapshot() {
        return ++snapshot;
    }

    /** Continues the numbers of snapshots after a restored one. */
    void resumed(long number) {
        snapshot = number;
    }

    /** Returns true when the analysis has changed since it was last stored. */
    public boolean isUnsaved() {
        return unsaved;
    }

    /** Sets whether the analysis has changed since it was last stored. */
    public void unsaved(boolean more) {
        unsaved = more;
    }

    /**
     * Begins the catch-up after this process has taken the service over.
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
        long end = observation.windowStartMillis() + observation.length().toMillis();
        if (end > takenOverMillis && !analyzer.graceOver(end, now)) {
            catchingUpUntil = Instant.MIN;
        }
    }

    /** Records the redirectors whose proxies report to a collector. */
    public void countCollector(InstanceObservation observation) {
        observation.redirectors().stream()
                .filter(name -> redirectors.size() < StatusSenders.MAX_SENDERS || redirectors.containsKey(name))
                .forEach(name -> redirectors.merge(name, observation.windowStartMillis(), Math::max));
    }

    /** Returns the redirectors whose proxies reported to a collector shortly before, sorted by name. */
    public List<String> redirectors(Instant now) {
        redirectors.values().removeIf(at -> at < now.minus(REDIRECTOR_TTL).toEpochMilli());
        return redirectors.keySet().stream().sorted().toList();
    }

    /** Returns true while observations of past windows may still have to be read. */
    public boolean catchingUp(Instant now) {
        return now.isBefore(catchingUpUntil);
    }

    /** Returns the observations found missing since the last call. */
    public long newGaps() {
        long before = gaps;
        gaps = analyzer.gaps();
        return gaps - before;
    }
}

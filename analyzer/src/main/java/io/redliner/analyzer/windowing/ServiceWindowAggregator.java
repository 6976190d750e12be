// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.analyzer.windowing.InstanceObservation.Source;
import io.redliner.analyzer.windowing.SequenceTracker.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects observations in the open windows of one service. A window is closed as soon as every expected source has reported it, or
 * when its grace is over. Windows are closed in their order, including empty ones, so that a silent collector is noticed. For one
 * thread.
 */
public final class ServiceWindowAggregator {

    /** Windows without a report after which a source is no longer expected. */
    private static final int SOURCE_TIMEOUT_WINDOWS = 2;

    /** Due windows beyond which all are skipped. They are this many only after a pause of the process, and would all be judged late. */
    private static final int MAX_BACKLOG_WINDOWS = 30;

    private static final Duration FUTURE = Duration.ofSeconds(5);

    /** Time without observations after which a collector's sequence is forgotten: when it restarts, it has another name. */
    private static final Duration COLLECTOR_TTL = Duration.ofMinutes(5);

    private final Duration length;

    private final Duration grace;

    /** Received observations by the start of their window. */
    private final TreeMap<Long, Map<Source, InstanceObservation>> open = new TreeMap<>();

    /** Start of the last closed window that a source reported, by source. */
    private final Map<Source, Long> lastReported = new HashMap<>();

    /** Start of the last closed window with requests, by source. A source that reports only gauges afterwards is missing. */
    private final Map<Source, Long> lastWithTraffic = new HashMap<>();

    private final ProxyStreamCoverage streams = new ProxyStreamCoverage();

    private final SequenceTracker sequenceTracker;

    private final MisalignedSources misalignedSources;

    /** Earliest start of a window: the time before was judged in windows of another length. */
    private final long earliest;

    private OptionalLong nextStart = OptionalLong.empty();

    /** Expected sources that have not reported the next window. */
    private int pendingSources;

    /** The first window with an observation. It waits for its grace, because the other sources are not known yet. */
    private OptionalLong firstReceived = OptionalLong.empty();

    /**
     * Creates an aggregator that expects no source yet.
     *
     * @param length of the windows
     * @param grace how long after its end a window waits for missing observations
     */
    public ServiceWindowAggregator(Duration length, Duration grace) {
        this(length, grace, new SequenceTracker(), Long.MIN_VALUE);
    }

    private ServiceWindowAggregator(Duration length, Duration grace, SequenceTracker sequenceTracker, long earliest) {
        if (length.toMillis() <= 0 || grace.isNegative()) {
            throw new IllegalArgumentException("windows of " + length + " with a grace of " + grace);
        }
        this.length = length;
        this.grace = grace;
        this.sequenceTracker = sequenceTracker;
        this.misalignedSources = new MisalignedSources(length);
        this.earliest = earliest;
    }

    /** Returns an aggregator for the following windows, of another length. No time is judged twice; sequence numbers are kept. */
    public ServiceWindowAggregator ofLength(Duration other) {
        return new ServiceWindowAggregator(other, grace, sequenceTracker,
                Math.max(earliest, nextStart.orElse(Long.MIN_VALUE)));
    }

    /** Returns the length of the windows. */
    public Duration length() {
        return length;
    }

    /** Returns the observations that had not arrived when a later one of the same collector did. */
    public long gaps() {
        return sequenceTracker.gaps();
    }

    /** Returns the observations that were counted as gaps and arrived later. */
    public long found() {
        return sequenceTracker.found();
    }

    /** Starts to close windows, even without observations. */
    public void expect(Instant now) {
        if (nextStart.isEmpty()) {
            begin(Math.floorDiv(now.toEpochMilli(), length.toMillis()) * length.toMillis());
        }
    }

    /** Forgets the sequence numbers of all collectors. */
    public void forgetSequences() {
        sequenceTracker.forget();
    }

    private void begin(long start) {
        long first = earliest == Long.MIN_VALUE ? start : Math.ceilDiv(earliest, length.toMillis()) * length.toMillis();
        advance(Math.max(start, first));
    }

    private void advance(long start) {
        nextStart = OptionalLong.of(start);
        pendingSources = 0;
        var received = open.getOrDefault(start, Map.of());
        lastReported.forEach(
                (source, last) -> pendingSources += expected(last, start) && !received.containsKey(source) ? 1 : 0);
    }

    /** Adds an observation of a collector. */
    public IngestResult add(InstanceObservation observation, Instant now) {
        var order = sequenceTracker.record(observation, now);
        if (order == Order.REPEATED) {
            if (observation.length().equals(length) && !judged(observation) && !opened(observation)) {
                misalignedSources.repeated(observation, now);
            }
            return IngestResult.DUPLICATE;
        }
        long start = observation.windowStartMillis();
        if (start > now.plus(FUTURE).toEpochMilli()) {
            misalignedSources.early(observation, now);
            return IngestResult.EARLY;
        }
        if (!observation.length().equals(length)) {
            if (order == Order.NEW) {
                misalignedSources.otherLength(observation, now);
            }
            return IngestResult.OTHER_LENGTH;
        }
        if (nextStart.isEmpty() && !over(start, now)) {
            begin(start);
        }
        if (judged(observation)) {
            late(observation, order, now);
            return order == Order.AGAIN ? IngestResult.AGAIN : IngestResult.LATE;
        }
        var earlier = open.computeIfAbsent(start, unused -> new LinkedHashMap<>()).putIfAbsent(observation.source(),
                observation);
        if (earlier == null) {
            if (start == nextStart.orElseThrow() && expected(lastReported.get(observation.source()), start)) {
                pendingSources--;
            }
            return IngestResult.ACCEPTED;
        }
        return order == Order.AGAIN ? IngestResult.AGAIN : IngestResult.DUPLICATE;
    }

    private boolean judged(InstanceObservation observation) {
        return nextStart.isEmpty() || observation.windowStartMillis() < nextStart.getAsLong();
    }

    private boolean opened(InstanceObservation observation) {
        return open.getOrDefault(observation.windowStartMillis(), Map.of()).containsKey(observation.source());
    }

    /** Records a source that is late but alive: the following windows are incomplete without it. */
    private void late(InstanceObservation observation, Order order, Instant now) {
        lastReported.merge(observation.source(), observation.windowStartMillis(), Math::max);
        nextStart.ifPresent(this::advance);
        // An observation that is read again was in time before.
        if (order == Order.NEW) {
            misalignedSources.late(observation, now);
        }
    }

    /** Closes the windows that are to be judged now, oldest first. */
    public List<ServiceWindow> close(Instant now) {
        skipBacklog(now);
        return close(start -> over(start, now) || complete(start, now));
    }

    /** Closes only the windows that wait for no source, oldest first; used after a takeover while there are records to read. */
    public List<ServiceWindow> closeComplete(Instant now) {
        return close(start -> complete(start, now));
    }

    /** Returns the start of the oldest window that is not judged yet. */
    public OptionalLong nextStart() {
        return nextStart;
    }

    /** Returns the state to resume from, without the observations that were accepted from {@link #nextStart} on. */
    public WindowingState state() {
        return new WindowingState(nextStart, firstReceived,
                lastReported.entrySet().stream()
                        .map(entry -> new WindowingState.Source(entry.getKey().collector(), entry.getKey().instance(),
                                entry.getValue(), watched(entry.getKey())))
                        .sorted(Comparator.comparing(WindowingState.Source::collector)
                                .thenComparing(WindowingState.Source::instance))
                        .toList(),
                sequenceTracker.collectors(), sequenceTracker.lost(), streams.state(), misalignedSources.state());
    }

    private OptionalLong watched(Source source) {
        Long start = lastWithTraffic.get(source);
        return start == null ? OptionalLong.empty() : OptionalLong.of(start);
    }

    /** Returns true when the observation's number is above all numbers of its collector before. */
    public boolean isNew(InstanceObservation observation) {
        return sequenceTracker.isNew(observation);
    }

    /** Resumes from a stored state; the caller adds the observations of the open windows again. */
    public void resume(WindowingState state) {
        firstReceived = state.firstReceived();
        state.sources().forEach(stored -> {
            var source = new Source(stored.collector(), stored.instance());
            lastReported.put(source, stored.windowStartMillis());
            stored.watchedStartMillis().ifPresent(start -> lastWithTraffic.put(source, start));
        });
        streams.resume(state.streams());
        misalignedSources.resume(state.misplaced());
        state.nextStart().ifPresent(this::advance);
        sequenceTracker.resume(state);
    }

    private List<ServiceWindow> close(LongPredicate due) {
        var closed = new ArrayList<ServiceWindow>();
        while (nextStart.isPresent() && due.test(nextStart.getAsLong())) {
            long start = nextStart.getAsLong();
            misalignedSources.forgetBefore(start);
            closed.add(window(start));
            open.getOrDefault(start, Map.of()).forEach((source, observation) -> {
                lastReported.put(source, start);
                if (observation.hasTraffic()) {
                    lastWithTraffic.put(source, start);
                }
            });
            open.remove(start);
            lastReported.values().removeIf(last -> last < start - SOURCE_TIMEOUT_WINDOWS * length.toMillis());
            lastWithTraffic.values().removeIf(last -> last < start - SOURCE_TIMEOUT_WINDOWS * length.toMillis());
            advance(start + length.toMillis());
            sequenceTracker.forgetBefore(start + length.toMillis(), COLLECTOR_TTL.toMillis());
        }
        return closed;
    }

    /** Returns true when no source is expected, because none has reported for {@link #SOURCE_TIMEOUT_WINDOWS} windows. */
    public boolean silent() {
        return lastReported.isEmpty() && open.isEmpty();
    }

    private void skipBacklog(Instant now) {
        if (nextStart.isEmpty()) {
            return;
        }
        long newest = Math.floorDiv(now.minus(grace).toEpochMilli(), length.toMillis()) * length.toMillis();
        if (newest - nextStart.getAsLong() > MAX_BACKLOG_WINDOWS * length.toMillis()) {
            open.headMap(newest).clear();
            advance(newest);
        }
    }

    private boolean over(long start, Instant now) {
        return graceOver(start + length.toMillis(), now);
    }

    /** Returns true when the grace of a window with this end is over. */
    public boolean graceOver(long endMillis, Instant now) {
        return now.toEpochMilli() >= endMillis + grace.toMillis();
    }

    /** Returns true when the oldest window is over and waits for no source. */
    private boolean complete(long start, Instant now) {
        return pendingSources == 0 && now.toEpochMilli() >= start + length.toMillis() && firstReceived.isPresent()
                && firstReceived.getAsLong() < start && open.containsKey(start) && !hasNewCollector(start);
    }

    /** A new collector may report more instances than the ones received so far. */
    private boolean hasNewCollector(long start) {
        var known = lastReported.entrySet().stream().filter(entry -> expected(entry.getValue(), start))
                .map(entry -> entry.getKey().collector()).collect(Collectors.toSet());
        return open.getOrDefault(start, Map.of()).keySet().stream()
                .anyMatch(source -> !known.contains(source.collector()));
    }

    private boolean expected(@Nullable Long lastReportedIn, long start) {
        return lastReportedIn != null && lastReportedIn >= start - SOURCE_TIMEOUT_WINDOWS * length.toMillis();
    }

    private ServiceWindow window(long start) {
        var received = open.getOrDefault(start, Map.of());
        if (!received.isEmpty() && firstReceived.isEmpty()) {
            firstReceived = OptionalLong.of(start);
        }
        var missing = new HashMap<String, String>();
        var replaced = streams.replaced(received.values());
        lastReported.forEach((source, last) -> {
            if (expected(last, start) && !received.containsKey(source)
                    && !(lastWithTraffic.containsKey(source) && replaced.test(source.collector()))) {
                missing.merge(source.instance(), source.collector(), BinaryOperator.minBy(Comparator.naturalOrder()));
            }
        });
        received.forEach((source, observation) -> {
            if (!observation.hasTraffic() && expected(lastWithTraffic.get(source), start)
                    && !replaced.test(source.collector())) {
                missing.merge(source.instance(), source.collector(), BinaryOperator.minBy(Comparator.naturalOrder()));
            }
        });
        streams.closed(received.values(), !missing.isEmpty());
        return new ServiceWindow(start, length, instances(received.values()), missing,
                misalignedSources.missingIn(received.keySet())
                        .or(() -> sequenceTracker.lostIn(start)
                                .map(lost -> "something of what collector " + lost.collector() + " sent was lost"))
                        .or(() -> impairment(received.values())));
    }

    /**
     * Rebuilds a window that was closed before.
     *
     * @param seen the accepted observations of that window; observations of other windows are ignored
     */
    public static ServiceWindow window(long start, Duration length, Collection<InstanceObservation> seen,
            Map<String, String> missing, Optional<String> incomplete) {
        return new ServiceWindow(start, length,
                instances(seen.stream().filter(observation -> observation.windowStartMillis() == start).toList()),
                missing,
                incomplete);
    }

    /** Returns the first reported impairment by collector and instance, which is the same in every process. */
    private static Optional<String> impairment(Collection<InstanceObservation> received) {
        return received.stream().filter(observation -> observation.hasTraffic() && !observation.impairment().isEmpty())
                .min(Comparator.comparing(InstanceObservation::collector).thenComparing(InstanceObservation::instance))
                .map(observation -> "collector " + observation.collector() + " " + observation.impairment());
    }

    private static Map<String, InstanceMeasurements> instances(Collection<InstanceObservation> received) {
        var byInstance = new HashMap<String, List<InstanceObservation>>();
        for (var observation : received) {
            if (!observation.hasTraffic() && !observation.impairment().isEmpty()) {
                // Impaired gauges are ignored. Other collectors counted the requests.
                continue;
            }
            byInstance.computeIfAbsent(observation.instance(), unused -> new ArrayList<>(1)).add(observation);
        }
        var instances = new HashMap<String, InstanceMeasurements>();
        byInstance.forEach((instance, observations) -> {
            // An instance with gauges alone may have had requests that were not reported.
            if (observations.stream().anyMatch(InstanceObservation::hasTraffic)) {
                // Merged in a fixed order, not in the order of arrival.
                observations.sort(Comparator.comparing(InstanceObservation::collector));
                instances.put(instance, InstanceMeasurements
                        .merged(observations.stream().map(InstanceObservation::measurements).toList()));
            }
        });
        return instances;
    }
}

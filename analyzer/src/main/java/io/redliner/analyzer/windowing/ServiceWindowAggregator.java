// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.analyzer.windowing.InstanceObservation.Source;
import io.redliner.analyzer.windowing.SequenceTracker.Order;
import io.redliner.sla.WindowStats;
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
 * The open windows of one service. A window is closed as soon as every source that is expected has reported it, or when
 * its grace is over; windows are closed in their order, and none is left out, so that a silent collector is noticed.
 * For one thread.
 */
public final class ServiceWindowAggregator {

    /** A source that was silent for so many windows is no longer waited for. */
    private static final int SOURCE_TIMEOUT_WINDOWS = 2;

    /** So many windows are never waiting unless the process stood still; they would all be late. */
    private static final int MAX_BACKLOG_WINDOWS = 30;

    private static final Duration FUTURE = Duration.ofSeconds(5);

    /** A collector that was silent for so long has another name when it comes back. */
    private static final Duration COLLECTOR_TTL = Duration.ofMinutes(5);

    private final Duration length;

    private final Duration grace;

    /** By start: what was heard. */
    private final TreeMap<Long, Map<Source, InstanceObservation>> open = new TreeMap<>();

    /** By source: the start of the last closed window that it was heard in. */
    private final Map<Source, Long> lastReported = new HashMap<>();

    /** The same for those that told of requests: one that goes on with gauges alone is missing. */
    private final Map<Source, Long> lastWithTraffic = new HashMap<>();

    private final ProxyStreamCoverage streams = new ProxyStreamCoverage();

    private final SequenceTracker arrivals;

    private final MisalignedSources misplaced;

    /** What is before was judged in windows of another length. */
    private final long earliest;

    private OptionalLong nextStart = OptionalLong.empty();

    /** Of the sources that are expected in the next window, those that have not reported it. */
    private int pendingSources;

    /** In the first window that is heard nobody knows yet who else reports: it waits for its grace. */
    private OptionalLong firstHeard = OptionalLong.empty();

    /**
     * Nothing is waited for yet.
     *
     * @param length of the windows
     * @param grace how long after its end a window waits for what is missing
     */
    public ServiceWindowAggregator(Duration length, Duration grace) {
        this(length, grace, new SequenceTracker(), Long.MIN_VALUE);
    }

    private ServiceWindowAggregator(Duration length, Duration grace, SequenceTracker arrivals, long earliest) {
        if (length.toMillis() <= 0 || grace.isNegative()) {
            throw new IllegalArgumentException("windows of " + length + " with a grace of " + grace);
        }
        this.length = length;
        this.grace = grace;
        this.arrivals = arrivals;
        this.misplaced = new MisalignedSources(length);
        this.earliest = earliest;
    }

    /** The windows of another length that follow: nothing is judged twice, and it stays known who sent what. */
    public ServiceWindowAggregator ofLength(Duration other) {
        return new ServiceWindowAggregator(other, grace, arrivals,
                Math.max(earliest, nextStart.orElse(Long.MIN_VALUE)));
    }

    /** Length of the windows. */
    public Duration length() {
        return length;
    }

    /** Sightings that were sent and have not arrived, as their sequence shows. */
    public long gaps() {
        return arrivals.gaps();
    }

    /** Of the gaps, sightings that arrived later after all. */
    public long found() {
        return arrivals.found();
    }

    /** From now on windows are closed, whether anything is heard or not. */
    public void expect(Instant now) {
        if (nextStart.isEmpty()) {
            begin(Math.floorDiv(now.toEpochMilli(), length.toMillis()) * length.toMillis());
        }
    }

    private void begin(long start) {
        long first = earliest == Long.MIN_VALUE ? start : Math.ceilDiv(earliest, length.toMillis()) * length.toMillis();
        advance(Math.max(start, first));
    }

    private void advance(long start) {
        nextStart = OptionalLong.of(start);
        pendingSources = 0;
        var heard = open.getOrDefault(start, Map.of());
        lastReported.forEach(
                (source, last) -> pendingSources += expected(last, start) && !heard.containsKey(source) ? 1 : 0);
    }

    /** Takes what a collector saw. */
    public IngestResult add(InstanceObservation sighting, Instant now) {
        var order = arrivals.record(sighting, now);
        if (order == Order.REPEATED) {
            if (sighting.measured().length().equals(length) && !judged(sighting) && !opened(sighting)) {
                misplaced.repeated(sighting, now);
            }
            return IngestResult.DUPLICATE;
        }
        long start = sighting.windowStartMillis();
        if (start > now.plus(FUTURE).toEpochMilli()) {
            misplaced.early(sighting, now);
            return IngestResult.EARLY;
        }
        if (!sighting.measured().length().equals(length)) {
            if (order == Order.NEW) {
                misplaced.otherLength(sighting, now);
            }
            return IngestResult.OTHER_LENGTH;
        }
        if (nextStart.isEmpty() && !over(start, now)) {
            begin(start);
        }
        if (judged(sighting)) {
            late(sighting, order, now);
            return order == Order.AGAIN ? IngestResult.AGAIN : IngestResult.LATE;
        }
        var earlier = open.computeIfAbsent(start, unused -> new LinkedHashMap<>()).putIfAbsent(sighting.source(),
                sighting);
        if (earlier == null) {
            if (start == nextStart.orElseThrow() && expected(lastReported.get(sighting.source()), start)) {
                pendingSources--;
            }
            return IngestResult.ACCEPTED;
        }
        return order == Order.AGAIN ? IngestResult.AGAIN : IngestResult.DUPLICATE;
    }

    private boolean judged(InstanceObservation sighting) {
        return nextStart.isEmpty() || sighting.windowStartMillis() < nextStart.getAsLong();
    }

    private boolean opened(InstanceObservation sighting) {
        return open.getOrDefault(sighting.windowStartMillis(), Map.of()).containsKey(sighting.source());
    }

    /** Too late to count, but alive: the windows after this one are not whole without it. */
    private void late(InstanceObservation sighting, Order order, Instant now) {
        lastReported.merge(sighting.source(), sighting.windowStartMillis(), Math::max);
        nextStart.ifPresent(this::advance);
        // What is only read again was in time once.
        if (order == Order.NEW) {
            misplaced.late(sighting, now);
        }
    }

    /** The windows that are to be judged now, oldest first. */
    public List<ServiceWindow> close(Instant now) {
        skipBacklog(now);
        return close(start -> over(start, now) || complete(start, now));
    }

    /** Those that nobody is waited for, oldest first; for as long as it is not known what has yet to be read. */
    public List<ServiceWindow> closeComplete(Instant now) {
        return close(start -> complete(start, now));
    }

    /** The start of the oldest window that is not judged yet. */
    public OptionalLong nextStart() {
        return nextStart;
    }

    /** What is to be known to go on elsewhere, beside the sightings that were accepted from {@link #nextStart} on. */
    public WindowingState state() {
        return new WindowingState(nextStart, firstHeard,
                lastReported.entrySet().stream()
                        .map(heard -> new WindowingState.Source(heard.getKey().collector(), heard.getKey().instance(),
                                heard.getValue(), watched(heard.getKey())))
                        .sorted(Comparator.comparing(WindowingState.Source::collector)
                                .thenComparing(WindowingState.Source::instance))
                        .toList(),
                arrivals.collectors(), arrivals.lost(), streams.state(), misplaced.state());
    }

    private OptionalLong watched(Source source) {
        Long start = lastWithTraffic.get(source);
        return start == null ? OptionalLong.empty() : OptionalLong.of(start);
    }

    /** Whether its number is above all that were noted of its collector. */
    public boolean isNew(InstanceObservation sighting) {
        return arrivals.isNew(sighting);
    }

    /** Goes on where others were; sightings of the open windows are to be added again. */
    public void resume(WindowingState state) {
        firstHeard = state.firstHeard();
        state.sources().forEach(heard -> {
            var source = new Source(heard.collector(), heard.instance());
            lastReported.put(source, heard.windowStartMillis());
            heard.watchedStartMillis().ifPresent(start -> lastWithTraffic.put(source, start));
        });
        streams.resume(state.streams());
        misplaced.resume(state.misplaced());
        state.nextStart().ifPresent(this::advance);
        arrivals.resume(state);
    }

    private List<ServiceWindow> close(LongPredicate due) {
        var closed = new ArrayList<ServiceWindow>();
        while (nextStart.isPresent() && due.test(nextStart.getAsLong())) {
            long start = nextStart.getAsLong();
            misplaced.forgetBefore(start);
            closed.add(window(start));
            open.getOrDefault(start, Map.of()).forEach((source, sighting) -> {
                lastReported.put(source, start);
                if (sighting.hasTraffic()) {
                    lastWithTraffic.put(source, start);
                }
            });
            open.remove(start);
            lastReported.values().removeIf(heard -> heard < start - SOURCE_TIMEOUT_WINDOWS * length.toMillis());
            lastWithTraffic.values().removeIf(heard -> heard < start - SOURCE_TIMEOUT_WINDOWS * length.toMillis());
            advance(start + length.toMillis());
            arrivals.forgetBefore(start + length.toMillis(), COLLECTOR_TTL.toMillis());
        }
        return closed;
    }

    /** Whether nothing has been heard for so long that nobody is expected. */
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

    /** Whether nobody is waited for any more in a window that ended then. */
    public boolean graceOver(long endMillis, Instant now) {
        return now.toEpochMilli() >= endMillis + grace.toMillis();
    }

    /** Only for the oldest window. */
    private boolean complete(long start, Instant now) {
        return pendingSources == 0 && now.toEpochMilli() >= start + length.toMillis() && firstHeard.isPresent()
                && firstHeard.getAsLong() < start && open.containsKey(start) && !hasNewCollector(start);
    }

    /** Of a collector that was not heard before nobody knows yet what else it reports. */
    private boolean hasNewCollector(long start) {
        var known = lastReported.entrySet().stream().filter(heard -> expected(heard.getValue(), start))
                .map(heard -> heard.getKey().collector()).collect(Collectors.toSet());
        return open.getOrDefault(start, Map.of()).keySet().stream()
                .anyMatch(source -> !known.contains(source.collector()));
    }

    private boolean expected(@Nullable Long lastHeardIn, long start) {
        return lastHeardIn != null && lastHeardIn >= start - SOURCE_TIMEOUT_WINDOWS * length.toMillis();
    }

    private ServiceWindow window(long start) {
        var heard = open.getOrDefault(start, Map.of());
        if (!heard.isEmpty() && firstHeard.isEmpty()) {
            firstHeard = OptionalLong.of(start);
        }
        var missing = new HashMap<String, String>();
        var replaced = streams.replaced(heard.values());
        lastReported.forEach((source, last) -> {
            if (expected(last, start) && !heard.containsKey(source)
                    && !(lastWithTraffic.containsKey(source) && replaced.test(source.collector()))) {
                missing.merge(source.instance(), source.collector(), BinaryOperator.minBy(Comparator.naturalOrder()));
            }
        });
        heard.forEach((source, sighting) -> {
            if (!sighting.hasTraffic() && expected(lastWithTraffic.get(source), start)
                    && !replaced.test(source.collector())) {
                missing.merge(source.instance(), source.collector(), BinaryOperator.minBy(Comparator.naturalOrder()));
            }
        });
        streams.closed(heard.values(), !missing.isEmpty());
        return new ServiceWindow(start, length, instances(heard.values()), missing,
                misplaced.missingIn(heard.keySet())
                        .or(() -> arrivals.lostIn(start)
                                .map(lost -> "something of what collector " + lost.collector() + " sent was lost"))
                        .or(() -> doubt(heard.values())));
    }

    /**
     * A window that was closed before.
     *
     * @param seen the accepted observations of that window, and maybe of others
     */
    public static ServiceWindow window(long start, Duration length, Collection<InstanceObservation> seen,
            Map<String, String> missing, Optional<String> incomplete) {
        return new ServiceWindow(start, length,
                instances(seen.stream().filter(sighting -> sighting.windowStartMillis() == start).toList()), missing,
                incomplete);
    }

    /** Of several the first by name, the same in every process. */
    private static Optional<String> doubt(Collection<InstanceObservation> heard) {
        return heard.stream().filter(sighting -> sighting.hasTraffic() && !sighting.impairment().isEmpty())
                .min(Comparator.comparing(InstanceObservation::collector).thenComparing(InstanceObservation::instance))
                .map(sighting -> "collector " + sighting.collector() + " " + sighting.impairment());
    }

    private static Map<String, ServiceWindow.Seen> instances(Collection<InstanceObservation> heard) {
        var byInstance = new HashMap<String, List<InstanceObservation>>();
        for (var sighting : heard) {
            if (!sighting.hasTraffic() && !sighting.impairment().isEmpty()) {
                // Gauges that are doubtful are no gauges; the requests were counted by others.
                continue;
            }
            byInstance.computeIfAbsent(sighting.instance(), unused -> new ArrayList<>(1)).add(sighting);
        }
        var instances = new HashMap<String, ServiceWindow.Seen>();
        byInstance.forEach((instance, sightings) -> {
            // Gauges alone do not say that there were no requests.
            if (sightings.stream().anyMatch(InstanceObservation::hasTraffic)) {
                instances.put(instance, seen(sightings));
            }
        });
        return instances;
    }

    private static ServiceWindow.Seen seen(List<InstanceObservation> sightings) {
        if (sightings.size() == 1) {
            return new ServiceWindow.Seen(sightings.getFirst().measured(), sightings.getFirst().inFlight(),
                    sightings.getFirst().outside());
        }
        // Merged in one order, whatever order they came in.
        sightings.sort(Comparator.comparing(InstanceObservation::collector));
        return new ServiceWindow.Seen(
                WindowStats.mergeInstances(sightings.stream().map(InstanceObservation::measured).toList()),
                sightings.stream().mapToLong(InstanceObservation::inFlight).sum(),
                sightings.stream().mapToLong(InstanceObservation::outside).sum());
    }
}

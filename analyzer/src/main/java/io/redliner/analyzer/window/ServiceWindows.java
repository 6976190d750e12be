// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.window;

import io.redliner.analyzer.window.Sighting.Source;
import io.redliner.sla.Measured;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The open windows of one service. A window is closed as soon as every source that is expected has reported it, or when
 * its grace is over; windows are closed in their order, and none is left out, so that a silent collector is noticed.
 * For one thread.
 */
public final class ServiceWindows {

    /** A source that was silent for so many windows is no longer waited for. */
    private static final int PATIENCE = 2;

    /** So many windows are never waiting unless the process stood still; they would all be late. */
    private static final int LONGEST_BACKLOG = 30;

    private static final Duration FUTURE = Duration.ofSeconds(5);

    private final Duration length;

    private final Duration grace;

    /** By start: what was heard. */
    private final TreeMap<Long, Map<Source, Sighting>> open = new TreeMap<>();

    /** By source: the start of the last closed window that it was heard in. */
    private final Map<Source, Long> lastHeard = new HashMap<>();

    private final Map<String, Long> lastSequence = new HashMap<>();

    private OptionalLong nextStart = OptionalLong.empty();

    /** In the first window that is heard nobody knows yet who else reports: it waits for its grace. */
    private OptionalLong firstHeard = OptionalLong.empty();

    private long gaps;

    /**
     * Nothing is waited for yet.
     *
     * @param length of the windows
     * @param grace how long after its end a window waits for what is missing
     */
    public ServiceWindows(Duration length, Duration grace) {
        if (length.toMillis() <= 0 || grace.isNegative()) {
            throw new IllegalArgumentException("windows of " + length + " with a grace of " + grace);
        }
        this.length = length;
        this.grace = grace;
    }

    /** Length of the windows. */
    public Duration length() {
        return length;
    }

    /** Sightings that were sent and have not arrived, as their sequence shows. */
    public long gaps() {
        return gaps;
    }

    /** From now on windows are closed, whether anything is heard or not. */
    public void expect(Instant now) {
        if (nextStart.isEmpty()) {
            nextStart = OptionalLong.of(Math.floorDiv(now.toEpochMilli(), length.toMillis()) * length.toMillis());
        }
    }

    /** Takes what a collector saw. */
    public Reception add(Sighting sighting, Instant now) {
        if (!sighting.measured().length().equals(length)) {
            return Reception.OTHER_LENGTH;
        }
        long start = sighting.windowStartMillis();
        if (start > now.plus(FUTURE).toEpochMilli()) {
            return Reception.EARLY;
        }
        countGap(sighting);
        if (nextStart.isEmpty() && !over(start, now)) {
            nextStart = OptionalLong.of(start);
        }
        if (nextStart.isEmpty() || start < nextStart.getAsLong()) {
            // Too late to count, but alive: the windows after this one are not whole without it.
            lastHeard.merge(sighting.source(), start, Math::max);
            return Reception.LATE;
        }
        var earlier = open.computeIfAbsent(start, unused -> new LinkedHashMap<>()).putIfAbsent(sighting.source(),
                sighting);
        return earlier == null ? Reception.ACCEPTED : Reception.DUPLICATE;
    }

    /** The windows that are to be judged now, oldest first. */
    public List<ServiceWindow> close(Instant now) {
        var closed = new ArrayList<ServiceWindow>();
        skipBacklog(now);
        while (nextStart.isPresent() && (over(nextStart.getAsLong(), now) || complete(nextStart.getAsLong(), now))) {
            long start = nextStart.getAsLong();
            closed.add(window(start));
            open.getOrDefault(start, Map.of()).keySet().forEach(source -> lastHeard.put(source, start));
            open.remove(start);
            nextStart = OptionalLong.of(start + length.toMillis());
            lastHeard.values().removeIf(heard -> heard < start - PATIENCE * length.toMillis());
        }
        return closed;
    }

    /** Whether nothing has been heard for so long that nobody is expected. */
    public boolean silent() {
        return lastHeard.isEmpty() && open.isEmpty();
    }

    private void countGap(Sighting sighting) {
        Long last = lastSequence.get(sighting.collector());
        if (last != null && sighting.sequence() > last + 1) {
            gaps += sighting.sequence() - last - 1;
        }
        lastSequence.merge(sighting.collector(), sighting.sequence(), Math::max);
    }

    private void skipBacklog(Instant now) {
        if (nextStart.isEmpty()) {
            return;
        }
        long newest = Math.floorDiv(now.minus(grace).toEpochMilli(), length.toMillis()) * length.toMillis();
        if (newest - nextStart.getAsLong() > LONGEST_BACKLOG * length.toMillis()) {
            open.headMap(newest).clear();
            nextStart = OptionalLong.of(newest);
        }
    }

    private boolean over(long start, Instant now) {
        return now.toEpochMilli() >= start + length.toMillis() + grace.toMillis();
    }

    private boolean complete(long start, Instant now) {
        var heard = open.get(start);
        return heard != null && now.toEpochMilli() >= start + length.toMillis()
                && expected(start).stream().allMatch(heard::containsKey)
                && firstHeard.isPresent() && firstHeard.getAsLong() < start;
    }

    private Set<Source> expected(long start) {
        return lastHeard.entrySet().stream().filter(entry -> entry.getValue() >= start - PATIENCE * length.toMillis())
                .map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    private ServiceWindow window(long start) {
        var heard = open.getOrDefault(start, Map.of());
        var byInstance = heard.values().stream().collect(Collectors.groupingBy(Sighting::instance));
        var instances = new HashMap<String, ServiceWindow.Seen>();
        byInstance.forEach((instance, sightings) -> instances.put(instance,
                new ServiceWindow.Seen(Measured.together(sightings.stream().map(Sighting::measured).toList()),
                        sightings.stream().mapToLong(Sighting::inFlight).sum())));
        var missing = new HashMap<String, String>();
        expected(start).stream().filter(source -> !heard.containsKey(source))
                .forEach(source -> missing.put(source.instance(), source.collector()));
        if (!heard.isEmpty() && firstHeard.isEmpty()) {
            firstHeard = OptionalLong.of(start);
        }
        return new ServiceWindow(start, length, instances, missing);
    }
}

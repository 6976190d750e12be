// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.OwnLimits.OwnLimitEnds;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The windows of one service. Safe for use by several threads: one lock guards everything. */
final class ServiceAggregator {

    /** The gauge that the analyzer's check of request ids reads. */
    private static final String SHARED_IDS = "request.ids.shared";

    /** The gauge of records from proxies that no redirector lists. */
    private static final String UNKNOWN_PROXIES = "proxies.unknown";

    private static final long MICROS_IN_MILLI = 1_000;

    private static final double MILLIS_IN_SECOND = 1_000;

    /**
     * The gauge of the smallest age that a record had when it came, without its sign. The clocks differ by no more, or by that much
     * if the record is from the future.
     */
    private static final String CLOCK_OFFSET = "clock.offset";

    private final WindowSettings settings;

    private final WindowMetrics metrics;

    private final DegradationHistory collectorDegradation;

    private final TumblingWindows windows;

    private final ServiceRequests requests;

    private final ServiceGauges gauges;

    /** The time until which each source has delivered its measurements of the service, in milliseconds since the epoch. */
    private final Map<String, Long> measuredUntil = new HashMap<>();

    /** Breaks of this service's proxy streams. */
    private final DegradationHistory streamDegradation = new DegradationHistory();

    private long sequence;

    /**
     * Creates the aggregator of a service; its first window already has the length of the live run's windows.
     *
     * @param run the settings of the live run on the service; null without one
     * @param proxies the proxies of the service
     */
    ServiceAggregator(String service, WindowSettings settings, @Nullable RunWindowSettings run, ServiceProxies proxies,
            WindowMetrics metrics, DegradationHistory collectorDegradation, HistogramPool histograms, long lastSequence,
            Instant now) {
        this.settings = settings;
        this.metrics = metrics;
        this.collectorDegradation = collectorDegradation;
        sequence = lastSequence;
        Duration length = run == null ? settings.length() : run.windowLength();
        windows = new TumblingWindows(
                (length.compareTo(WindowSettings.MIN_LENGTH) < 0 ? settings.length() : length).toMillis());
        gauges = new ServiceGauges(settings);
        requests = new ServiceRequests(service, settings, metrics, windows, proxies, histograms,
                windows.startOf(now.minus(settings.grace()).toEpochMilli()));
        if (run != null) {
            requests.open().time(Long.MIN_VALUE);
            requests.inFlight().limits(run.latencyLimits());
        }
    }

    /** Adds the stream of a proxy that begins to report. */
    synchronized void open(RequestRecordStream stream) {
        requests.proxies().open(stream);
    }

    /** See {@link WindowAggregator#close}. */
    synchronized void close(RequestRecordStream stream, boolean byFailure, Instant now) {
        requests.proxies().close(stream);
        if (requests.inFlight().forgetStream(stream, micros(now)) || (byFailure && !stream.isUnknown())) {
            streamDegradation.impair(DegradationReason.STREAM_LOST, now, now);
        }
        requests.instances().values().removeIf(instance -> !instance.removeStream(stream));
    }

    /** Starts a run on the service: windows have the run's length from the next common boundary on. */
    synchronized void run(RunWindowSettings run, Instant now) {
        requests.inFlight().limits(run.latencyLimits());
        long next = nextBoundary(now);
        if (!requests.open().isTimed(next)) {
            requests.open().time(next);
            requests.histories().handOver(next);
        }
        windows.change(windows.nearest(run.windowLength().toMillis()), next);
    }

    /** Ends the run on the service: windows are summaries of the ordinary length from the next common boundary on. */
    synchronized void noRun(Instant now) {
        long next = nextBoundary(now);
        if (requests.open().isTimed(next)) {
            requests.histories().forgetAll();
            requests.ownLimits().clear();
        }
        requests.inFlight().limits(List.of());
        requests.open().time(Long.MAX_VALUE);
        windows.change(windows.nearest(settings.length().toMillis()), next);
    }

    private long nextBoundary(Instant now) {
        return windows.endOf(requests.open().newest(Math.max(now.toEpochMilli(), requests.oldestOpen())));
    }

    /** Replaces the settings by which requests are classified. */
    synchronized void classifyBy(RequestClassifier wanted) {
        requests.classifyBy(wanted);
    }

    /** See {@link WindowAggregator#listProxies}. */
    synchronized void listProxies(String redirector, Collection<String> nodes, Instant now) {
        requests.proxies().update(redirector, nodes, now);
    }

    /** Returns the limits that RedLiner chose and that ended requests of the service in the last minute. */
    synchronized List<OwnLimitEnds> ownLimits(Instant now) {
        return requests.ownLimits().ofAll(now.toEpochMilli());
    }

    /** See {@link WindowAggregator#reports}. */
    synchronized boolean reports(String redirector, Collection<String> nodes, Instant now) {
        return requests.proxies().reports(redirector, nodes, now);
    }

    /** See {@link WindowAggregator#redirectors}. */
    synchronized SortedSet<String> redirectors(Instant now) {
        return requests.proxies().redirectors(now);
    }

    /** Returns the node ids of proxies that send records and that no redirector lists. */
    synchronized List<String> unknownProxies() {
        return requests.proxies().unknown().map(RequestRecordStream::node).toList();
    }

    /** Adds, by node id, how far a proxy's clock is behind, below 0 ahead. */
    synchronized void clocks(Instant now, Map<String, Duration> behind) {
        requests.proxies().streams().forEach(
                stream -> behind.put(stream.node(), Duration.ofNanos(1_000 * stream.clock().behind(micros(now)))));
    }

    /** Returns the length that windows have once a pending change is done. */
    synchronized Duration windowLength() {
        return Duration.ofMillis(windows.lastLength());
    }

    /** Counts a proxy's records, in the order in which it reported them. */
    synchronized void accept(RequestRecordStream stream, List<RequestRecord> batch, Instant now) {
        requests.accept(stream, batch, now);
    }

    synchronized void measure(GaugeMeasurement measurement, Instant now) {
        gauges.add(measurement, requests.oldestOpen(), now).ifPresentOrElse(metrics::drop, metrics::keepMeasurement);
    }

    /** See {@link WindowAggregator#closeDue}. */
    synchronized void closeDue(Instant now, List<WindowCounts> closed) {
        long due = now.minus(settings.grace()).toEpochMilli();
        long tooOld = due - settings.horizon().toMillis();
        if (requests.oldestOpen() < tooOld) {
            long stalled = windows.startOf(tooOld);
            requests.open().takeBefore(stalled).forEach(dropped -> drop(dropped, RecordDropReason.STALLED));
            requests.closedBefore(stalled);
        }
        due = Math.max(due, Math.min(reportedUntil(), now.minus(settings.settling()).toEpochMilli()));
        if (windows.endOf(requests.oldestOpen()) > due) {
            return;
        }
        requests.inFlight().forgetExpired(micros(now));
        while (windows.endOf(requests.oldestOpen()) <= due) {
            long end = windows.endOf(requests.oldestOpen());
            closeWindow(end, closed);
            requests.closedBefore(end);
        }
        windows.forgetBefore(requests.oldestOpen());
        gauges.forgetBefore(requests.oldestOpen());
        streamDegradation.forgetBefore(tooOld);
        requests.histories().forgetBefore(requests.oldestOpen());
        requests.instances().values().removeIf(instance -> instance.idleSince(now.minus(settings.idleInstance())));
    }

    /** Notes that a source has delivered all its measurements of the service until this time. */
    synchronized void measuredUntil(String source, Instant until) {
        measuredUntil.merge(source, until.toEpochMilli(), Math::max);
    }

    /**
     * Returns the time up to which every stream and source has reported; in ms since 1970; {@code Long.MIN_VALUE} when one is
     * silent, or there is none.
     */
    private long reportedUntil() {
        long earliest = requests.proxies().isEmpty() && measuredUntil.isEmpty() ? Long.MIN_VALUE : Long.MAX_VALUE;
        // A source that no longer measures the service must not delay its windows.
        measuredUntil.values().removeIf(until -> until < requests.oldestOpen() - settings.horizon().toMillis());
        for (long until : measuredUntil.values()) {
            earliest = Math.min(earliest, until);
        }
        return requests.proxies().reportedUntil(earliest);
    }

    /** Returns whether the service has no streams, instances, measurements or records, so that it can be forgotten. */
    synchronized boolean idle() {
        return requests.proxies().isEmpty() && requests.instances().isEmpty() && gauges.instances().isEmpty()
                && requests.open().isEmpty()
                && requests.inFlight().size() == 0;
    }

    /** Returns the number of the last window. */
    synchronized long lastSequence() {
        return sequence;
    }

    /** Returns when the next window can be closed at the earliest. */
    synchronized Instant nextCloseAt() {
        return Instant.ofEpochMilli(windows.endOf(requests.oldestOpen())).plus(settings.settling());
    }

    private void closeWindow(long end, List<WindowCounts> closed) {
        OpenWindows open = requests.open();
        long start = requests.oldestOpen();
        Map<String, WindowCounts> counted = open.take(start);
        Map<String, InFlightCounts> hanging = requests.inFlight().atEndOf(end * MICROS_IN_MILLI);
        InFlightCounts nothing = requests.inFlight().nothing();
        boolean summary = !open.isTimed(start);
        Set<DegradationReason> degraded = collectorDegradation.impairments(start, end);
        degraded.addAll(streamDegradation.impairments(start, end));
        Map<String, Double> common = summary ? Map.of() : commonGauges(end);
        boolean handsOver = !summary && requests.histories().isDue(start);
        for (String name : summary ? new TreeSet<>(requests.instances().keySet()) : names()) {
            Map<String, Double> measured = summary ? new HashMap<>() : gauges.in(name, start, end);
            TrackedInstance instance = requests.instances().get(name);
            if (instance != null
                    && (counted.containsKey(name) || instance.watchedBefore(Instant.ofEpochMilli(end)))) {
                WindowCounts kept = counted.remove(name);
                WindowCounts counts = kept == null ? open.empty(start, name) : kept;
                OptionalLong lag = instance.takeLag();
                if (!summary) {
                    lag.ifPresent(millis -> measured.put(CLOCK_OFFSET, Math.abs(millis) / MILLIS_IN_SECOND));
                    measured.putAll(common);
                    counts.sharedIds().ifPresent(part -> measured.put(SHARED_IDS, part));
                    measured.putAll(counts.slowest());
                }
                publish(counts);
                InFlightCounts inFlight = hanging.getOrDefault(name, nothing);
                closed.add(close(counts, end, summary, degraded).hanging(inFlight.inFlight(), inFlight.overdue())
                        .reported(requests.proxies().counting(), instance.takeMissed(),
                                handsOver ? requests.histories().of(name) : Optional.empty())
                        .measured(measured));
            } else if (!measured.isEmpty()) {
                closed.add(close(open.empty(start, name), end, false, degraded)
                        .hanging(nothing.inFlight(), nothing.overdue()).measured(measured));
            }
        }
        if (handsOver) {
            requests.histories().handedOver(start);
        } else if (summary && !degraded.isEmpty()) {
            requests.histories().forget(start, end);
        }
        counted.values().forEach(dropped -> drop(dropped, RecordDropReason.NO_STREAM));
    }

    /** Returns the instances of which requests or measurements are known. */
    private Set<String> names() {
        Set<String> names = new TreeSet<>(requests.instances().keySet());
        names.addAll(gauges.instances());
        return names;
    }

    private Map<String, Double> commonGauges(long end) {
        Map<String, Double> common = collectorDegradation.gauges(requests.oldestOpen(), end);
        requests.proxies().takeUnknown(Instant.ofEpochMilli(end))
                .ifPresent(records -> common.put(UNKNOWN_PROXIES, records));
        return common;
    }

    private WindowCounts close(WindowCounts counts, long end, boolean summary, Set<DegradationReason> degraded) {
        sequence++;
        return counts.close(sequence, Duration.ofMillis(end - requests.oldestOpen()), summary, degraded,
                requests.ownLimits().of(counts.instance(), end));
    }

    private void publish(WindowCounts counts) {
        for (RecordKind kind : RecordKind.values()) {
            metrics.publish(kind, counts.records(kind));
        }
    }

    private void drop(WindowCounts counts, RecordDropReason reason) {
        for (RecordKind kind : RecordKind.values()) {
            metrics.drop(kind, reason, counts.records(kind));
        }
    }

    /** Records in windows that are not closed yet. */
    synchronized long pending(RecordKind kind) {
        return requests.open().pending(kind);
    }

    /** Requests whose end has not been reported. */
    synchronized int inFlight() {
        return requests.inFlight().size();
    }

    /** Live proxy streams. */
    synchronized int streams() {
        return requests.proxies().size();
    }

    private static long micros(Instant time) {
        return time.toEpochMilli() * MICROS_IN_MILLI;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The windows of one service. Owned by {@link WindowAggregator}, whose lock guards it. */
final class ServiceAggregator {

    /** See the analyzer's check of request ids. */
    private static final String SHARED_IDS = "request.ids.shared";

    /** Records of the service from proxies that no redirector lists. */
    private static final String UNKNOWN_PROXIES = "proxies.unknown";

    private static final long MICROS_IN_MILLI = 1_000;

    private static final double MILLIS_IN_SECOND = 1_000;

    /** How old the newest record was when it came: the clocks differ by no more, or by that much if it is from the future. */
    private static final String CLOCK_OFFSET = "clock.offset";

    private final String service;

    private final WindowSettings settings;

    private final Ledgers ledgers;

    private final DegradationHistory own;

    private final HistogramPool histograms;

    private final TumblingWindows grid;

    private final OpenWindows open;

    private final InFlightRequests inFlight;

    private final ServiceGauges gauges;

    private final Map<String, TrackedInstance> instances = new HashMap<>();

    private final ServiceStreams streams = new ServiceStreams();

    /** By source: until when it has told all that it measures of the service, in milliseconds since the epoch. */
    private final Map<String, Long> measuredUntil = new HashMap<>();

    /** What went wrong with this service's streams. */
    private final DegradationHistory broken = new DegradationHistory();

    /** Where the oldest window that is not sealed begins, in milliseconds since the epoch. */
    private long unsealed;

    private long sequence;

    private RequestClassifier classifier = RequestClassifier.DEFAULT;

    /** Nothing has been cut yet: it begins with the very windows that are wanted. */
    ServiceAggregator(String service, WindowSettings settings, RunWindowSettings focus, Ledgers ledgers,
            DegradationHistory own,
            HistogramPool histograms, long lastSequence, Instant now) {
        this.service = service;
        this.settings = settings;
        this.ledgers = ledgers;
        this.own = own;
        this.histograms = histograms;
        sequence = lastSequence;
        Duration length = focus.windowLength();
        grid = new TumblingWindows(
                (length.compareTo(WindowSettings.SHORTEST) < 0 ? settings.length() : length).toMillis());
        open = new OpenWindows(histograms);
        inFlight = new InFlightRequests(settings, ledgers.records());
        gauges = new ServiceGauges(settings);
        inFlight.limits(focus.latencyLimits());
        unsealed = grid.startOf(now.minus(settings.grace()).toEpochMilli());
    }

    void close(RequestRecordStream stream, boolean byFailure, Instant now) {
        streams.close(stream);
        if (inFlight.forgetStream(stream, micros(now)) || (byFailure && !stream.isUnknown())) {
            broken.impair(DegradationReason.STREAM_LOST, now, now);
        }
        instances.values().removeIf(instance -> !instance.watchedWithout(stream));
    }

    void focus(RunWindowSettings focus, Instant now) {
        inFlight.limits(focus.latencyLimits());
        grid.change(grid.nearest(focus.windowLength().toMillis()),
                grid.endOf(open.newest(Math.max(now.toEpochMilli(), unsealed))));
    }

    /** Classifies requests by this from now on. */
    void classifyBy(RequestClassifier wanted) {
        classifier = wanted;
    }

    ServiceStreams streams() {
        return streams;
    }

    /** Of the windows that will be cut when all that was asked for is done. */
    Duration windowLength() {
        return Duration.ofMillis(grid.lastLength());
    }

    void accept(RequestRecordStream stream, RequestRecord report, Instant now) {
        classifier.classify(report);
        if (stream.closed()) {
            drop(report, RecordDropReason.NO_STREAM);
            return;
        }
        if (stream.listing() != ProxyRegistry.Listing.LISTED) {
            discardUnlisted(stream, report);
            return;
        }
        TrackedInstance instance = remember(stream, report.instance(), now);
        if (instance == null) {
            discardEnd(stream, report);
            drop(report, RecordDropReason.INSTANCES_FULL);
            return;
        }
        long time = report.atMicros() / MICROS_IN_MILLI;
        if (report.kind() == RecordKind.END) {
            instance.lag(now.toEpochMilli() - report.proxyMicros() / MICROS_IN_MILLI);
        }
        if (time > now.toEpochMilli() + settings.horizon().toMillis()) {
            discardEnd(stream, report);
            drop(instance, report, RecordDropReason.FUTURE);
        } else if (report.kind() == RecordKind.START) {
            start(stream, instance, report, time);
        } else if (report.attempts() > 1) {
            endAttempts(stream, report, now);
        } else {
            end(stream, instance, report, time);
        }
    }

    /** Records of a proxy that may be listed soon are missing; those of an unknown one may be forged. */
    private void discardUnlisted(RequestRecordStream stream, RequestRecord report) {
        discardEnd(stream, report);
        TrackedInstance instance = instances.get(report.instance());
        if (stream.isUnknown()) {
            streams.countUnknown();
        } else if (instance != null) {
            instance.miss();
        }
        drop(report, RecordDropReason.UNKNOWN_PROXY);
    }

    /** See {@link InFlightRequests#attemptEnded}. It is counted when its request is over, and only then as a record. */
    void attemptEnded(RequestRecordStream stream, RequestRecord attempt) {
        classifier.classify(attempt);
        if (!stream.closed() && stream.listing() == ProxyRegistry.Listing.LISTED) {
            inFlight.attemptEnded(stream, attempt);
        }
    }

    /** Counts each attempt of a request at its own instance, whatever the user got in the end. */
    private void endAttempts(RequestRecordStream stream, RequestRecord end, Instant now) {
        boolean told = false;
        for (InFlightRequest attempt : inFlight.attempts(stream, end)) {
            RequestRecord outcome = attempt.outcome();
            if (attempt.attemptEnded()) {
                ledgers.records().receive(RecordKind.END);
                if (!outcome.isAnswered() && outcome.error() == null) {
                    // The proxy gave it up.
                    outcome.failed(end.error() == null ? RequestError.TIMEOUT : end.error());
                }
                endAttempt(stream, attempt, outcome, now);
            } else if (!told && attempt.instance().equals(end.instance())) {
                told = true;
                outcome.copy(end).latency(end.proxyMicros() - attempt.proxyStartedAt());
                endAttempt(stream, attempt, outcome, now);
            } else {
                inFlight.supersede(attempt, end.atMicros());
            }
        }
        stream.reported(end);
        if (!told) {
            drop(end, RecordDropReason.RETRIED);
        }
    }

    private void endAttempt(RequestRecordStream stream, InFlightRequest attempt, RequestRecord outcome, Instant now) {
        long time = outcome.atMicros() / MICROS_IN_MILLI;
        TrackedInstance instance = remember(stream, outcome.instance(), now);
        if (instance == null) {
            inFlight.supersede(attempt, outcome.atMicros());
            drop(outcome, RecordDropReason.INSTANCES_FULL);
        } else if (time < unsealed - settings.horizon().toMillis()) {
            inFlight.supersede(attempt, outcome.atMicros());
            drop(instance, outcome, RecordDropReason.LATE);
        } else {
            // It may have ended long before its request: when its window is sealed it counts in the next.
            long windowStart = grid.startOf(Math.max(time, unsealed));
            open.tally(windowStart, outcome.instance()).end(outcome, attempt.weight());
            inFlight.settle(attempt, outcome, Math.max(outcome.atMicros(), unsealed * MICROS_IN_MILLI),
                    windowStart * MICROS_IN_MILLI);
        }
    }

    private void start(RequestRecordStream stream, TrackedInstance instance, RequestRecord start, long time) {
        int weight = instance.weigh(start);
        if (!inFlight.start(stream, start, weight)) {
            drop(instance, start, RecordDropReason.IN_FLIGHT_FULL);
        } else if (time < unsealed - settings.horizon().toMillis()) {
            // It is in flight all the same.
            drop(instance, start, RecordDropReason.LATE);
        } else {
            // One that waited for a connection was sent later than it began: when its window is sealed it counts in the next.
            open.tally(grid.startOf(Math.max(time, unsealed)), start.instance()).start(start, weight);
        }
    }

    private void end(RequestRecordStream stream, TrackedInstance instance, RequestRecord end, long time) {
        if (time < unsealed) {
            inFlight.discard(stream, end);
            drop(instance, end, RecordDropReason.LATE);
            return;
        }
        stream.reported(end);
        long windowStart = grid.startOf(time);
        boolean sharesId = inFlight.sharesId(stream, end);
        int started = inFlight.end(stream, end, windowStart * MICROS_IN_MILLI);
        // It counts as often as its start did.
        open.tally(windowStart, end.instance()).end(end, started > 0 ? started : instance.weigh(end), sharesId);
    }

    private void discardEnd(RequestRecordStream stream, RequestRecord report) {
        if (report.kind() == RecordKind.END) {
            inFlight.discard(stream, report);
        }
    }

    private @Nullable TrackedInstance remember(RequestRecordStream stream, String name, Instant now) {
        TrackedInstance instance = instances.get(name);
        if (instance == null) {
            if (instances.size() >= settings.maxInstances()) {
                return null;
            }
            instance = new TrackedInstance();
            instances.put(name, instance);
        }
        instance.seen(stream, now);
        return instance;
    }

    void measure(GaugeMeasurement measurement, Instant now) {
        gauges.add(measurement, unsealed, now).ifPresentOrElse(ledgers.measurements()::drop,
                ledgers.measurements()::keep);
    }

    void seal(Instant now, List<ClosedWindow> sealed) {
        long due = now.minus(settings.grace()).toEpochMilli();
        long tooOld = due - settings.horizon().toMillis();
        if (unsealed < tooOld) {
            long stalled = grid.startOf(tooOld);
            open.takeBefore(stalled).forEach(tally -> drop(tally, RecordDropReason.STALLED));
            unsealed = stalled;
        }
        due = Math.max(due, Math.min(reportedUntil(), now.minus(settings.settling()).toEpochMilli()));
        if (grid.endOf(unsealed) > due) {
            return;
        }
        inFlight.forgetExpired(micros(now));
        while (grid.endOf(unsealed) <= due) {
            long end = grid.endOf(unsealed);
            sealWindow(end, sealed);
            unsealed = end;
        }
        grid.forgetBefore(unsealed);
        gauges.forgetBefore(unsealed);
        broken.forgetBefore(tooOld);
        instances.values().removeIf(instance -> instance.idleSince(now.minus(settings.idleInstance())));
    }

    /** A source has told all that it measures of the service until then. */
    void measuredUntil(String source, Instant until) {
        measuredUntil.merge(source, until.toEpochMilli(), Math::max);
    }

    /** All that was before then was reported; long ago when a stream or a source is silent, or there is none. */
    private long reportedUntil() {
        long least = streams.isEmpty() && measuredUntil.isEmpty() ? Long.MIN_VALUE : Long.MAX_VALUE;
        // One that does not look at the service any more keeps no window waiting.
        measuredUntil.values().removeIf(until -> until < unsealed - settings.horizon().toMillis());
        for (long until : measuredUntil.values()) {
            least = Math.min(least, until);
        }
        return streams.reportedUntil(least);
    }

    /** Nothing is known of it, and nothing comes. */
    boolean idle() {
        return streams.isEmpty() && instances.isEmpty() && gauges.instances().isEmpty() && open.isEmpty()
                && inFlight.size() == 0;
    }

    /** The number of the last window. */
    long lastSequence() {
        return sequence;
    }

    /** When the next window can be sealed at the earliest. */
    Instant sealableAt() {
        return Instant.ofEpochMilli(grid.endOf(unsealed)).plus(settings.settling());
    }

    private void sealWindow(long end, List<ClosedWindow> sealed) {
        Map<String, RequestAccumulator> tallies = open.take(unsealed);
        Map<String, InFlightCounts> hanging = inFlight.atEndOf(end * MICROS_IN_MILLI);
        Set<DegradationReason> impaired = own.impairments(unsealed, end);
        impaired.addAll(broken.impairments(unsealed, end));
        Map<String, Double> ownGauges = own.gauges(unsealed, end);
        streams.takeUnknown(Instant.ofEpochMilli(end)).ifPresent(records -> ownGauges.put(UNKNOWN_PROXIES, records));
        int proxies = streams.counting();
        Set<String> names = new TreeSet<>(instances.keySet());
        names.addAll(gauges.instances());
        for (String name : names) {
            Map<String, Double> measured = gauges.in(name, unsealed, end);
            TrackedInstance instance = instances.get(name);
            if (instance != null
                    && (tallies.containsKey(name) || instance.watchedBefore(Instant.ofEpochMilli(end)))) {
                RequestAccumulator tally = tallies.remove(name);
                instance.takeLag().ifPresent(lag -> measured.put(CLOCK_OFFSET, Math.abs(lag) / MILLIS_IN_SECOND));
                measured.putAll(ownGauges);
                if (tally != null) {
                    tally.sharedIds().ifPresent(part -> measured.put(SHARED_IDS, part));
                }
                RequestCounts counts = publish(tally == null ? new RequestAccumulator(histograms) : tally,
                        hanging.getOrDefault(name, inFlight.nothing()));
                sealed.add(sealed(name, end, counts, measured, proxies, instance.takeMissed(), impaired));
            } else if (!measured.isEmpty()) {
                RequestCounts unknown = new RequestAccumulator(histograms).counts(inFlight.nothing());
                sealed.add(sealed(name, end, unknown, measured, 0, 0, impaired));
            }
        }
        tallies.values().forEach(tally -> drop(tally, RecordDropReason.NO_STREAM));
    }

    private ClosedWindow sealed(String name, long end, RequestCounts counts, Map<String, Double> measured, int proxies,
            long missed, Set<DegradationReason> impaired) {
        sequence++;
        return new ClosedWindow(new InstanceId(service, name), sequence, Instant.ofEpochMilli(unsealed),
                Duration.ofMillis(end - unsealed), counts, measured, proxies, missed, impaired);
    }

    private RequestCounts publish(RequestAccumulator tally, InFlightCounts hanging) {
        for (RecordKind kind : RecordKind.values()) {
            ledgers.records().publish(kind, tally.records(kind));
        }
        return tally.counts(hanging);
    }

    private void drop(RequestAccumulator tally, RecordDropReason reason) {
        for (RecordKind kind : RecordKind.values()) {
            ledgers.records().drop(kind, reason, tally.records(kind));
        }
    }

    private void drop(TrackedInstance instance, RequestRecord report, RecordDropReason reason) {
        instance.miss();
        drop(report, reason);
    }

    private void drop(RequestRecord report, RecordDropReason reason) {
        ledgers.records().drop(report.kind(), reason, 1);
    }

    long pending(RecordKind kind) {
        return open.pending(kind);
    }

    int inFlight() {
        return inFlight.size();
    }

    private static long micros(Instant time) {
        return time.toEpochMilli() * MICROS_IN_MILLI;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests of one service in its windows that are open, and those in flight. Guarded by the lock of {@link ServiceAggregator}. */
final class ServiceRequests {

    private static final long MICROS_IN_MILLI = 1_000;

    private final WindowSettings settings;

    private final WindowMetrics metrics;

    private final TumblingWindows windows;

    private final OpenWindows open;

    private final InFlightRequests inFlight;

    private final ServiceProxies proxies;

    private final Map<String, TrackedInstance> instances = new HashMap<>();

    private final LatencyHistories histories;

    private final OwnLimitCounts ownLimits;

    private RequestClassifier classifier = RequestClassifier.DEFAULT;

    /** The start of the oldest window that is not closed, in milliseconds since the epoch. */
    private long oldestOpen;

    /**
     * @param windows the service's windows
     * @param proxies who reports them
     * @param oldestOpen where the first window begins, in milliseconds since the epoch
     */
    ServiceRequests(String service, WindowSettings settings, WindowMetrics metrics, TumblingWindows windows,
            ServiceProxies proxies,
            HistogramPool histograms, long oldestOpen) {
        this.settings = settings;
        this.metrics = metrics;
        this.windows = windows;
        this.oldestOpen = oldestOpen;
        open = new OpenWindows(service, histograms);
        histories = new LatencyHistories(settings.bounds().instances());
        ownLimits = new OwnLimitCounts(settings.bounds().instances());
        inFlight = new InFlightRequests(settings, metrics);
        this.proxies = proxies;
    }

    OpenWindows open() {
        return open;
    }

    InFlightRequests inFlight() {
        return inFlight;
    }

    ServiceProxies proxies() {
        return proxies;
    }

    /** Returns the instances that the requests are sent to, by address. */
    Map<String, TrackedInstance> instances() {
        return instances;
    }

    /** Returns the latencies of the last two minutes without a run. */
    LatencyHistories histories() {
        return histories;
    }

    /** Replaces the settings by which requests are classified. */
    void classifyBy(RequestClassifier wanted) {
        classifier = wanted;
        ownLimits.limitBy(wanted.ownLimits());
    }

    /** Returns the counts of requests that a limit of RedLiner's own ended in the last minute. */
    OwnLimitCounts ownLimits() {
        return ownLimits;
    }

    /** Returns the start of the oldest window that is not closed, in milliseconds since the epoch. */
    long oldestOpen() {
        return oldestOpen;
    }

    /** Notes that all windows before this start are closed; milliseconds since the epoch. */
    void closedBefore(long start) {
        oldestOpen = start;
    }

    /** Counts a proxy's records, in the order in which it reported them. */
    void accept(RequestRecordStream stream, List<RequestRecord> batch, Instant now) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        stream.listing(proxies.listing(stream.node(), now));
        if (!stream.clock().isKnown()) {
            // The newest of the first records tells the proxy's clock: the others may have waited for a stream.
            batch.stream().max(Comparator.comparingLong(RequestRecord::proxyMicros))
                    .ifPresent(newest -> observe(stream, newest, micros));
        }
        for (RequestRecord record : batch) {
            observe(stream, record, micros);
            record.corrected(stream.clock().correction());
            if (record.isAttempt()) {
                attemptEnded(stream, record);
            } else {
                accept(stream, record, now);
            }
        }
    }

    private static void observe(RequestRecordStream stream, RequestRecord record, long micros) {
        stream.clock().observe(micros - record.proxyMicros(), micros);
    }

    private void accept(RequestRecordStream stream, RequestRecord record, Instant now) {
        metrics.receive(record.kind(), 1);
        classifier.classify(record);
        if (stream.closed()) {
            drop(record, RecordDropReason.NO_STREAM);
            return;
        }
        if (stream.listing() != ServiceProxies.Listing.LISTED) {
            discardUnlisted(stream, record);
            return;
        }
        if (record.kind() == RecordKind.END) {
            ownLimits.add(record, now.toEpochMilli());
        }
        long time = record.atMicros() / MICROS_IN_MILLI;
        if (record.kind() == RecordKind.END && !open.isTimed(time) && !isFuture(time, now)) {
            histories.add(record);
            if (!inFlight.isKnown(stream, record)) {
                // Proxies report a part of the ends alone. A window of them would say less than none.
                stream.reported(record);
                metrics.publish(RecordKind.END, 1);
                return;
            }
        }
        TrackedInstance instance = track(stream, record.instance(), now);
        if (instance == null) {
            discardEnd(stream, record);
            drop(record, RecordDropReason.INSTANCES_FULL);
            return;
        }
        if (record.kind() == RecordKind.END) {
            instance.noteLag(now.toEpochMilli() - record.proxyMicros() / MICROS_IN_MILLI);
        }
        if (isFuture(time, now)) {
            discardEnd(stream, record);
            drop(instance, record, RecordDropReason.FUTURE);
        } else if (record.kind() == RecordKind.START) {
            start(stream, instance, record, time);
        } else if (record.attempts() > 1) {
            endAttempts(stream, record, now);
        } else {
            end(stream, instance, record, time);
        }
    }

    private boolean isFuture(long time, Instant now) {
        return time > now.toEpochMilli() + settings.horizon().toMillis();
    }

    /**
     * Discards a record of an unlisted proxy. It counts as missed if the proxy may be listed soon; that of an unknown proxy may
     * be forged.
     */
    private void discardUnlisted(RequestRecordStream stream, RequestRecord record) {
        discardEnd(stream, record);
        TrackedInstance instance = instances.get(record.instance());
        if (stream.isUnknown()) {
            proxies.countUnknown();
        } else if (instance != null) {
            instance.countMissed();
        }
        drop(record, RecordDropReason.UNKNOWN_PROXY);
    }

    /** See {@link InFlightRequests#attemptEnded}. The attempt is counted, also as a record, when its request is over. */
    private void attemptEnded(RequestRecordStream stream, RequestRecord attempt) {
        classifier.classify(attempt);
        if (!stream.closed() && stream.listing() == ServiceProxies.Listing.LISTED) {
            inFlight.attemptEnded(stream, attempt);
        }
    }

    /** Counts each attempt of a request at its own instance, whatever the user got in the end. */
    private void endAttempts(RequestRecordStream stream, RequestRecord end, Instant now) {
        boolean counted = false;
        for (InFlightRequest attempt : inFlight.attempts(stream, end)) {
            RequestRecord endRecord = attempt.endRecord();
            if (attempt.attemptEnded()) {
                metrics.receive(RecordKind.END, 1);
                if (!endRecord.isAnswered() && endRecord.error() == null) {
                    // The proxy gave it up.
                    endRecord.failed(end.error() == null ? RequestError.TIMEOUT : end.error());
                }
                endAttempt(stream, attempt, endRecord, now);
            } else if (!counted && attempt.instance().equals(end.instance())) {
                counted = true;
                endRecord.copy(end).latency(end.proxyMicros() - attempt.proxyStartedAt());
                endAttempt(stream, attempt, endRecord, now);
            } else {
                inFlight.supersede(attempt, end.atMicros());
            }
        }
        stream.reported(end);
        if (!counted) {
            drop(end, RecordDropReason.RETRIED);
        }
    }

    private void endAttempt(RequestRecordStream stream, InFlightRequest attempt, RequestRecord endRecord, Instant now) {
        long time = endRecord.atMicros() / MICROS_IN_MILLI;
        TrackedInstance instance = track(stream, endRecord.instance(), now);
        if (instance == null) {
            inFlight.supersede(attempt, endRecord.atMicros());
            drop(endRecord, RecordDropReason.INSTANCES_FULL);
        } else if (time < oldestOpen - settings.horizon().toMillis()) {
            inFlight.supersede(attempt, endRecord.atMicros());
            drop(instance, endRecord, RecordDropReason.LATE);
        } else {
            // It may have ended long before its request: when its window is closed it counts in the next.
            long windowStart = windows.startOf(Math.max(time, oldestOpen));
            open.counts(windowStart, endRecord.instance()).end(endRecord, attempt.weight());
            inFlight.settle(attempt, endRecord, Math.max(endRecord.atMicros(), oldestOpen * MICROS_IN_MILLI),
                    windowStart * MICROS_IN_MILLI);
        }
    }

    private void start(RequestRecordStream stream, TrackedInstance instance, RequestRecord start, long time) {
        int weight = instance.weigh(start);
        if (!inFlight.start(stream, start, weight)) {
            drop(instance, start, RecordDropReason.IN_FLIGHT_FULL);
        } else if (time < oldestOpen - settings.horizon().toMillis()) {
            // It is in flight all the same.
            drop(instance, start, RecordDropReason.LATE);
        } else {
            // One that waited for a connection was sent later than it began: when its window is closed it counts in the next.
            open.counts(windows.startOf(Math.max(time, oldestOpen)), start.instance()).start(start, weight);
        }
    }

    private void end(RequestRecordStream stream, TrackedInstance instance, RequestRecord end, long time) {
        if (time < oldestOpen) {
            inFlight.discard(stream, end);
            drop(instance, end, RecordDropReason.LATE);
            return;
        }
        stream.reported(end);
        long windowStart = windows.startOf(time);
        boolean sharesId = inFlight.sharesId(stream, end);
        int started = inFlight.end(stream, end, windowStart * MICROS_IN_MILLI);
        // It counts as often as its start did.
        open.counts(windowStart, end.instance()).end(end, started > 0 ? started : instance.weigh(end), sharesId);
    }

    private void discardEnd(RequestRecordStream stream, RequestRecord record) {
        if (record.kind() == RecordKind.END) {
            inFlight.discard(stream, record);
        }
    }

    private @Nullable TrackedInstance track(RequestRecordStream stream, String name, Instant now) {
        TrackedInstance instance = instances.get(name);
        if (instance == null) {
            if (instances.size() >= settings.bounds().instances()) {
                return null;
            }
            instance = new TrackedInstance();
            instances.put(name, instance);
        }
        instance.recordArrived(stream, now);
        return instance;
    }

    private void drop(TrackedInstance instance, RequestRecord record, RecordDropReason reason) {
        instance.countMissed();
        drop(record, reason);
    }

    private void drop(RequestRecord record, RecordDropReason reason) {
        metrics.drop(record.kind(), reason, 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts the requests of one instance in one window that is still open. */
final class RequestAccumulator {

    /** Latencies beyond one day come from a broken clock and would only cost memory. */
    private static final long MAX_LATENCY_MICROS = Duration.ofDays(1).toNanos() / 1_000;

    private final @Nullable HistogramPool histograms;

    /** Failed requests by class, each count in an array of one. */
    private final Map<RequestError, long[]> errors = new EnumMap<>(RequestError.class);

    private @Nullable Histogram latency;

    private @Nullable Histogram firstByte;

    private @Nullable Histogram unanswered;

    private long startRecords;

    private long endRecords;

    private long started;

    private long outside;

    private long completed;

    private long completedRecords;

    private long cancelled;

    private long streams;

    private long sharedIds;

    /** @param histograms null: requests are counted, and their times are not kept */
    RequestAccumulator(@Nullable HistogramPool histograms) {
        this.histograms = histograms;
    }

    void start(RequestRecord start, int weight) {
        startRecords++;
        started += weight;
        outside += start.outside() ? weight : 0;
    }

    /** @param sharesId whether other requests in flight had its id */
    void end(RequestRecord end, int weight, boolean sharesId) {
        sharedIds += sharesId ? 1 : 0;
        end(end, weight);
    }

    void end(RequestRecord end, int weight) {
        endRecords++;
        if (end.isCancelled()) {
            cancel(end, weight);
        } else {
            complete(end, weight);
        }
    }

    private void cancel(RequestRecord end, int weight) {
        cancelled += weight;
        if (!end.isAnswered() && !end.isStream()) {
            unanswered = record(unanswered, end.latencyMicros(), weight);
        }
    }

    private void complete(RequestRecord end, int weight) {
        completedRecords++;
        completed += weight;
        RequestError error = end.error();
        if (error != null) {
            errors.computeIfAbsent(error, kind -> new long[1])[0] += weight;
        }
        if (end.firstByteMicros() >= 0) {
            firstByte = record(firstByte, end.firstByteMicros(), weight);
        }
        if (end.isStream()) {
            streams += weight;
        } else {
            latency = record(latency, end.latencyMicros(), weight);
        }
    }

    private @Nullable Histogram record(@Nullable Histogram histogram, long micros, int weight) {
        if (histograms == null) {
            return null;
        }
        Histogram recorded = histogram == null ? histograms.take() : histogram;
        recorded.recordValueWithCount(Math.min(micros, MAX_LATENCY_MICROS), weight);
        return recorded;
    }

    /** Returns the ratio of ends whose request id is shared by others in flight; empty without an end. */
    OptionalDouble sharedIds() {
        return endRecords == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) sharedIds / endRecords);
    }

    /** Returns the number of records of a kind. */
    long records(RecordKind kind) {
        return kind == RecordKind.START ? startRecords : endRecords;
    }

    /** Returns the counts of the window together with those of the requests in flight at its end. */
    RequestCounts counts(InFlightCounts inFlight) {
        return new RequestCounts(started, outside, completed, completedRecords, errors(),
                Optional.ofNullable(latency), Optional.ofNullable(firstByte), cancelled,
                Optional.ofNullable(unanswered), streams, inFlight.inFlight(), inFlight.overdue());
    }

    private Map<RequestError, Long> errors() {
        Map<RequestError, Long> counts = new EnumMap<>(RequestError.class);
        errors.forEach((error, count) -> counts.put(error, count[0]));
        return counts;
    }
}

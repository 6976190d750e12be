// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts the requests of one instance in one window that is still open. */
final class RequestAccumulator {

    /** OK is 0 and UNAUTHENTICATED 16. */
    private static final int GRPC_STATUSES = 17;

    /** Nothing takes longer; a value beyond is a broken clock, and would only cost memory. */
    private static final long LONGEST_MICROS = Duration.ofDays(1).toNanos() / 1_000;

    private final HistogramPool histograms;

    /** Each in an array of one. */
    private final Map<RequestError, long[]> errors = new EnumMap<>(RequestError.class);

    private final long[] grpc = new long[GRPC_STATUSES];

    private @Nullable Histogram latency;

    private @Nullable Histogram upstreamLatency;

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

    private long received;

    private long sent;

    RequestAccumulator(HistogramPool histograms) {
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
            if (unanswered == null) {
                unanswered = histograms.take();
            }
            unanswered.recordValueWithCount(Math.min(end.latencyMicros(), LONGEST_MICROS), weight);
        }
    }

    private void complete(RequestRecord end, int weight) {
        completedRecords++;
        completed += weight;
        RequestError error = end.error();
        if (error != null) {
            errors.computeIfAbsent(error, kind -> new long[1])[0] += weight;
        }
        if (end.grpcStatus() >= 0 && end.grpcStatus() < GRPC_STATUSES) {
            grpc[end.grpcStatus()] += weight;
        }
        if (end.firstByteMicros() >= 0) {
            if (firstByte == null) {
                firstByte = histograms.take();
            }
            firstByte.recordValueWithCount(Math.min(end.firstByteMicros(), LONGEST_MICROS), weight);
        }
        received += weight * end.received();
        sent += weight * end.sent();
        if (end.isStream()) {
            streams += weight;
        } else {
            time(end, weight);
        }
    }

    private void time(RequestRecord end, int weight) {
        if (latency == null) {
            latency = histograms.take();
        }
        latency.recordValueWithCount(Math.min(end.latencyMicros(), LONGEST_MICROS), weight);
        if (end.upstreamMicros() >= 0) {
            if (upstreamLatency == null) {
                upstreamLatency = histograms.take();
            }
            upstreamLatency.recordValueWithCount(Math.min(end.upstreamMicros(), LONGEST_MICROS), weight);
        }
    }

    /** Part of the ends whose request's id others in flight had; empty without an end. */
    OptionalDouble sharedIds() {
        return endRecords == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) sharedIds / endRecords);
    }

    /** Records of a kind that are in here. */
    long records(RecordKind kind) {
        return kind == RecordKind.START ? startRecords : endRecords;
    }

    /** What was counted, with what hung at the window's end. */
    RequestCounts counts(InFlightCounts hanging) {
        return new RequestCounts(started, outside, completed, completedRecords, errors(), grpcStatuses(),
                Optional.ofNullable(latency), Optional.ofNullable(upstreamLatency), Optional.ofNullable(firstByte),
                cancelled,
                Optional.ofNullable(unanswered), received, sent, streams, hanging.inFlight(), hanging.overdue());
    }

    private Map<RequestError, Long> errors() {
        Map<RequestError, Long> counts = new EnumMap<>(RequestError.class);
        errors.forEach((error, count) -> counts.put(error, count[0]));
        return counts;
    }

    private Map<Integer, Long> grpcStatuses() {
        Map<Integer, Long> counts = new TreeMap<>();
        for (int status = 0; status < GRPC_STATUSES; status++) {
            if (grpc[status] > 0) {
                counts.put(status, grpc[status]);
            }
        }
        return counts;
    }
}

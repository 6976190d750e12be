// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.OwnLimits.OwnLimitEnds;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one instance in one window. They are counted while the window is open. Once it is closed, its measurements are
 * added and nothing changes any more. Where proxies report a sample only, each record counts as the requests that it stands for.
 */
public final class WindowCounts {

    /** Latencies beyond one day come from a broken clock and would only cost memory. */
    private static final long MAX_LATENCY_MICROS = Duration.ofDays(1).toNanos() / 1_000;

    private final InstanceId instanceId;

    private final Instant start;

    private final @Nullable HistogramPool histograms;

    /** Failed requests by class, each count in an array of one. */
    private final Map<RequestError, long[]> errors = new EnumMap<>(RequestError.class);

    private final SlowestRequests slowest = new SlowestRequests();

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

    private long sequence;

    private Duration length = Duration.ZERO;

    private boolean summary;

    private int proxies;

    private long missed;

    private Map<String, Double> gauges = Map.of();

    private Set<DegradationReason> impairments = Set.of();

    private List<OwnLimitEnds> ownLimits = List.of();

    private Optional<LatencyHistory> history = Optional.empty();

    private long inFlight;

    private List<OverdueCount> overdue = List.of();

    /**
     * @param start inclusive; a multiple of the length since the epoch
     * @param histograms null: requests are counted, and their times are not kept
     */
    WindowCounts(InstanceId instanceId, Instant start, @Nullable HistogramPool histograms) {
        this.instanceId = instanceId;
        this.start = start;
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
            if (histograms != null) {
                slowest.end(end);
            }
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

    /** Returns the slowest requests as gauges. */
    Map<String, Double> slowest() {
        return slowest.gauges();
    }

    /** Returns the number of records of a kind. */
    long records(RecordKind kind) {
        return kind == RecordKind.START ? startRecords : endRecords;
    }

    /**
     * Closes the window.
     *
     * @param number grows by one with each window of the service
     * @param counted whether no run is live on the service, so that requests are only counted and their times are not kept
     * @param degraded why the collector could not measure well in this window
     * @param limits limits that RedLiner chose and that ended requests of the instance in the last minute
     */
    WindowCounts close(long number, Duration duration, boolean counted, Set<DegradationReason> degraded,
            List<OwnLimitEnds> limits) {
        sequence = number;
        length = duration;
        summary = counted;
        impairments = Set.copyOf(degraded);
        ownLimits = List.copyOf(limits);
        return this;
    }

    /** Adds the requests that were in flight when the window ended. */
    WindowCounts hanging(long requests, List<OverdueCount> byLimit) {
        inFlight = requests;
        overdue = byLimit;
        return this;
    }

    /** Adds what the collector knows of the proxies that reported these requests. */
    WindowCounts reported(int streamCount, long missedRecords, Optional<LatencyHistory> latencyHistory) {
        proxies = streamCount;
        missed = missedRecords;
        history = latencyHistory;
        return this;
    }

    /** Adds the other measurements of the window, by name. */
    WindowCounts measured(Map<String, Double> values) {
        gauges = Map.copyOf(values);
        return this;
    }

    public InstanceId instanceId() {
        return instanceId;
    }

    /** See {@link InstanceId}. */
    public String service() {
        return instanceId.service();
    }

    /** See {@link InstanceId}. */
    public String instance() {
        return instanceId.instance();
    }

    /** Returns the number of the window, which grows by one with each window of the service. */
    public long sequence() {
        return sequence;
    }

    /** Returns the inclusive start, a multiple of the length since the epoch. */
    public Instant start() {
        return start;
    }

    public Duration length() {
        return length;
    }

    /** Returns whether no run was live on the service, so that requests are only counted and their times are not kept. */
    public boolean summary() {
        return summary;
    }

    /** Returns the live proxy streams of the service; 0 when none knows the instance: then nothing is known of its requests. */
    public int proxies() {
        return proxies;
    }

    /** Returns the records of the instance since its previous window that could not be counted in any window. */
    public long missed() {
        return missed;
    }

    /** Returns the other measurements by name; finite. */
    public Map<String, Double> gauges() {
        return gauges;
    }

    /** Returns why the collector could not measure well in this window. */
    public Set<DegradationReason> impairments() {
        return impairments;
    }

    /** Returns the limits that RedLiner chose and that ended requests of the instance in the last minute. */
    public List<OwnLimitEnds> ownLimits() {
        return ownLimits;
    }

    /** Returns how long requests took before the run; only two of the run's first windows carry it. */
    public Optional<LatencyHistory> history() {
        return history;
    }

    /** Returns the requests sent to the instance in this window. */
    public long started() {
        return started;
    }

    /** Returns the requests among those started that the lease in force does not cover. */
    public long outside() {
        return outside;
    }

    /** Returns the requests that ended in this window, failed ones included, cancelled ones not. */
    public long completed() {
        return completed;
    }

    /** Returns the number of records that {@link #completed} is made from. */
    public long completedRecords() {
        return completedRecords;
    }

    /** Returns the failed requests by class; classes without any are absent. */
    public Map<RequestError, Long> errors() {
        Map<RequestError, Long> counts = new EnumMap<>(RequestError.class);
        errors.forEach((error, count) -> counts.put(error, count[0]));
        return counts;
    }

    /** Returns the latency of the completed requests in microseconds, failed ones included, streams not; empty without any. */
    public Optional<Histogram> latency() {
        return Optional.ofNullable(latency);
    }

    /**
     * Returns the time to the first byte of the answer in microseconds, of the completed requests with an answer, streams
     * included; empty without any.
     */
    public Optional<Histogram> firstByte() {
        return Optional.ofNullable(firstByte);
    }

    /** Returns the requests that ended in this window because the user hung up. */
    public long cancelled() {
        return cancelled;
    }

    /** Returns the ages in microseconds of the cancelled requests without any header of an answer; empty without any. */
    public Optional<Histogram> unanswered() {
        return Optional.ofNullable(unanswered);
    }

    /** Returns the long streams among the completed requests. */
    public long streams() {
        return streams;
    }

    /** Returns the requests sent and not ended when the window ended, streams not included. */
    public long inFlight() {
        return inFlight;
    }

    /** Returns one count for each latency limit of the run on the service. */
    public List<OverdueCount> overdue() {
        return overdue;
    }

    /**
     * Hanging requests against one latency limit in one window; {@code latency above the limit + newlyOverdue - settled}
     * counts each slow request once.
     *
     * @param limit the latency limit
     * @param newlyOverdue requests in flight at the window's end that are older than the limit, counted for the first time
     * @param settled requests that ended in this window and had been counted before
     */
    public record OverdueCount(Duration limit, long newlyOverdue, long settled) {}
}

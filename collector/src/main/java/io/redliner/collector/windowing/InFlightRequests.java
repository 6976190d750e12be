// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.WindowMetrics.InFlightEvictionReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one service that are in flight, or were at the end of a window that is not closed yet. Each attempt of a
 * retried request is followed by itself. Times in microseconds since the epoch. The objects are used again, so that following a
 * request makes no garbage.
 */
final class InFlightRequests {

    /** Maximum number of objects that are kept for reuse. */
    private static final int MAX_SPARE = 4_096;

    private final int capacity;

    private final long longest;

    private final long latest;

    private final WindowMetrics metrics;

    private final InFlightRequestTable openRequests = new InFlightRequestTable();

    /** Starts of streams, which are not in flight. They are followed in case the proxy tries them again. */
    private final InFlightRequestTable streamRequests = new InFlightRequestTable();

    /** Requests that are over and still count in a window that is open. */
    private final List<InFlightRequest> left = new ArrayList<>();

    private final ArrayDeque<InFlightRequest> spare = new ArrayDeque<>();

    private List<Duration> limits = List.of();

    private long[] limitMicros = {};

    InFlightRequests(WindowSettings settings, WindowMetrics metrics) {
        capacity = settings.bounds().inFlight();
        longest = micros(settings.longestRequest());
        latest = micros(settings.horizon());
        this.metrics = metrics;
    }

    /** Follows a request. Returns false when there are too many. Streams have a limit of their own. */
    boolean start(RequestRecordStream stream, RequestRecord start, int weight) {
        if (start.isStream()) {
            if (streamRequests.size() < capacity) {
                streamRequests.put(attempt(stream, start, start.proxyMicros(), weight));
            }
            return true;
        }
        if (openRequests.size() + left.size() >= capacity) {
            return false;
        }
        openRequests.put(attempt(stream, start, start.proxyMicros(), weight));
        return true;
    }

    private InFlightRequest attempt(RequestRecordStream stream, RequestRecord record, long proxyStart, int weight) {
        long high = stream.high(record.requestId());
        long low = stream.low(record.requestId());
        InFlightRequest request = spare.pollLast();
        if (request == null) {
            request = new InFlightRequest(stream, record.instance());
        }
        request.begin(high, low, stream, record.instance(), proxyStart, record.correctionMicros(), weight);
        request.expireAt(request.startedAt() + longest(record.timeoutMicros()));
        request.asStream(record.isStream());
        return request;
    }

    /**
     * Returns how long the collector waits for the end of a request. A proxy's timeout begins when it has the whole request, and
     * a hedged attempt outlives its own: the horizon covers both.
     */
    private long longest(long timeout) {
        return timeout > 0 ? Math.min(longest, timeout + latest) : longest;
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    /**
     * Keeps how an attempt ended at its instance until the request is over: only then the collector knows whether it was the only
     * attempt.
     */
    void attemptEnded(RequestRecordStream stream, RequestRecord end) {
        long startedAt = end.proxyMicros() - end.latencyMicros();
        long high = stream.high(end.requestId());
        long low = stream.low(end.requestId());
        InFlightRequest request = openRequests.find(high, low, end.instance(), startedAt);
        if (request == null) {
            request = streamRequests.find(high, low, end.instance(), startedAt);
        }
        if (request == null && end.error() == RequestError.CONNECT && openRequests.size() + left.size() < capacity) {
            // The connection failed, so the attempt never started at the instance.
            request = attempt(stream, end, startedAt, (int) Math.round(end.weight()));
            (end.isStream() ? streamRequests : openRequests).put(request);
        }
        if (request != null) {
            request.attemptEnded(end);
            // The request has a longer timeout than its attempts.
            request.expireAt(request.startedAt() + longest);
        }
    }

    /** Returns whether the start of a request that ends was reported. */
    boolean isKnown(RequestRecordStream stream, RequestRecord end) {
        long high = stream.high(end.requestId());
        long low = stream.low(end.requestId());
        return openRequests.count(high, low) > 0 || streamRequests.count(high, low) > 0;
    }

    /**
     * Returns whether other requests in flight have the id of a request that ends and was not retried, so that the end cannot be
     * matched to one of them.
     */
    boolean sharesId(RequestRecordStream stream, RequestRecord end) {
        return openRequests.count(stream.high(end.requestId()),
                stream.low(end.requestId())) > 1;
    }

    /**
     * Ends a request whose latency is counted in an open window.
     *
     * @param windowStart the start of that window: a request that began in it is in flight at no window's end
     * @return the number of requests that its start was counted as; 0 when its start was not seen
     */
    int end(RequestRecordStream stream, RequestRecord end, long windowStart) {
        InFlightRequest request = remove(stream, end);
        if (request == null) {
            return 0;
        }
        int weight = request.weight();
        settle(request, end, end.atMicros(), windowStart);
        return weight;
    }

    /**
     * Ends an attempt that is counted in an open window.
     *
     * @param windowStart the start of that window, see {@link #end}
     */
    void settle(InFlightRequest request, RequestRecord end, long atMicros, long windowStart) {
        if (!request.isStream() && (request.startedAt() < windowStart || request.overdueBefore())) {
            request.leave(atMicros, end.hasLatency());
            left.add(request);
        } else {
            keep(request);
        }
    }

    /**
     * Removes and returns all attempts of a request that is over. The caller gives each to {@link #settle} or {@link #supersede}.
     */
    List<InFlightRequest> attempts(RequestRecordStream stream, RequestRecord end) {
        long high = stream.high(end.requestId());
        long low = stream.low(end.requestId());
        List<InFlightRequest> attempts = openRequests.removeAll(high, low);
        attempts.addAll(streamRequests.removeAll(high, low));
        return attempts;
    }

    /** Forgets an attempt that is over and whose end the proxy did not report. */
    void supersede(InFlightRequest request, long atMicros) {
        forget(request, atMicros, InFlightEvictionReason.SUPERSEDED);
    }

    /** Forgets a request that ended and whose latency is counted nowhere: if it was counted as overdue, it stays so. */
    void discard(RequestRecordStream stream, RequestRecord end) {
        InFlightRequest request = remove(stream, end);
        if (request != null) {
            keep(request);
        }
    }

    /** Counts the requests in flight at the end of a window, by instance. Callers pass each window once, in order. */
    Map<String, InFlightCounts> atEndOf(long windowEnd) {
        Map<String, InFlightCounts> byInstance = new HashMap<>();
        openRequests.forEach(request -> count(byInstance, request, windowEnd));
        left.forEach(request -> count(byInstance, request, windowEnd));
        left.removeIf(request -> {
            boolean over = request.leftBefore(windowEnd);
            if (over) {
                keep(request);
            }
            return over;
        });
        return byInstance;
    }

    /** Returns counts of an instance without a request in flight. */
    InFlightCounts nothing() {
        return new InFlightCounts(limits, limitMicros);
    }

    /**
     * Sets the latency limits, at most 64, against which overdue requests are counted. Counts against other limits are forgotten.
     */
    void limits(List<Duration> wanted) {
        if (wanted.equals(limits)) {
            return;
        }
        int[] before = wanted.stream().mapToInt(limits::indexOf).toArray();
        openRequests.forEach(request -> request.renumber(before));
        left.forEach(request -> request.renumber(before));
        limits = wanted;
        limitMicros = wanted.stream().mapToLong(InFlightRequests::micros).toArray();
    }

    /** Forgets the requests of a closed stream, because no other stream reports their ends. Returns whether there were any. */
    // The very stream: another one of the same proxy is another one.
    @SuppressWarnings("ReferenceEquality")
    boolean forgetStream(RequestRecordStream stream, long now) {
        int before = openRequests.size();
        openRequests.removeIf(request -> request.stream() == stream,
                request -> forget(request, now, InFlightEvictionReason.STREAM_CLOSED));
        streamRequests.removeIf(request -> request.stream() == stream, this::keep);
        return openRequests.size() < before;
    }

    /** Forgets requests whose end is overdue: ends get lost when a proxy's buffer overflows. */
    void forgetExpired(long now) {
        openRequests.removeIf(request -> request.expiredAt(now),
                request -> forget(request, now, InFlightEvictionReason.EXPIRED));
        // A proxy tries again before a stream's timeout, which is over when the answer begins.
        streamRequests.removeIf(request -> request.expiredAt(now), this::keep);
    }

    int size() {
        return openRequests.size();
    }

    private void count(Map<String, InFlightCounts> byInstance, InFlightRequest request, long windowEnd) {
        byInstance.computeIfAbsent(request.instance(), instance -> nothing()).count(request, windowEnd);
    }

    private @Nullable InFlightRequest remove(RequestRecordStream stream, RequestRecord end) {
        long high = stream.high(end.requestId());
        long low = stream.low(end.requestId());
        InFlightRequest request = openRequests.remove(high, low, end.instance());
        return request == null ? streamRequests.remove(high, low, end.instance()) : request;
    }

    private void forget(InFlightRequest request, long at, InFlightEvictionReason reason) {
        if (request.isStream()) {
            keep(request);
            return;
        }
        metrics.forget(reason);
        request.leave(at, false);
        left.add(request);
    }

    private void keep(InFlightRequest request) {
        if (spare.size() < MAX_SPARE) {
            spare.addLast(request);
        }
    }
}

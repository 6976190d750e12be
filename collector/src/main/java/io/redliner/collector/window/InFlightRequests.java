// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one service that are in flight, or were at the end of a window that is not sealed yet. Times in
 * microseconds since the epoch. The objects are used again, so that following a request makes no garbage.
 */
final class InFlightRequests {

    /** More are not worth keeping for later. */
    private static final int MOST_SPARE = 4_096;

    private final int capacity;

    private final RecordLedger ledger;

    private final RequestTable open = new RequestTable();

    /** They left, and still matter for a window that is open. */
    private final List<InFlightRequest> left = new ArrayList<>();

    private final ArrayDeque<InFlightRequest> spare = new ArrayDeque<>();

    private List<Duration> limits = List.of();

    private long[] limitMicros = {};

    InFlightRequests(int capacity, RecordLedger ledger) {
        this.capacity = capacity;
        this.ledger = ledger;
    }

    /** Follows a request; false when there are too many. */
    boolean start(ProxyStream stream, RequestReport start, int weight) {
        long high = RequestKey.high(start.requestId(), stream.nodeHash());
        long low = RequestKey.low(start.requestId(), stream.nodeHash());
        InFlightRequest earlier = open.remove(high, low);
        if (earlier != null) {
            forget(earlier, start.atMicros(), ForgetReason.SUPERSEDED);
        }
        if (open.size() + left.size() >= capacity) {
            return false;
        }
        InFlightRequest request = spare.pollLast();
        if (request == null) {
            request = new InFlightRequest(high, low, stream, start.instance(), start.atMicros(), weight);
        } else {
            request.begin(high, low, stream, start.instance(), start.atMicros(), weight);
        }
        open.put(request);
        return true;
    }

    /**
     * A request ended, and its latency is counted in an open window.
     *
     * @param windowStart the start of that window: a request that began in it is in flight at no window's end
     * @return as how many requests its start was counted; 0 when its start was not seen
     */
    int end(ProxyStream stream, RequestReport end, long windowStart) {
        InFlightRequest request = remove(stream, end);
        if (request == null) {
            return 0;
        }
        int weight = request.weight();
        if (request.startedAt() < windowStart || request.overdueBefore()) {
            request.leave(end.atMicros(), true);
            left.add(request);
        } else {
            keep(request);
        }
        return weight;
    }

    /** A request ended, and its latency is counted nowhere: when it was counted as overdue, it stays so. */
    void discard(ProxyStream stream, RequestReport end) {
        InFlightRequest request = remove(stream, end);
        if (request != null) {
            keep(request);
        }
    }

    /** What hung at the end of a window, by instance. Windows are to be asked for in order, each once. */
    Map<String, Hanging> atEndOf(long windowEnd) {
        Map<String, Hanging> byInstance = new HashMap<>();
        open.forEach(request -> count(byInstance, request, windowEnd));
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

    /** Nothing hung. */
    Hanging nothing() {
        return new Hanging(limits, limitMicros);
    }

    /** Counts against these limits from now on, at most 64. What was counted against others is forgotten. */
    void limits(List<Duration> wanted) {
        if (wanted.equals(limits)) {
            return;
        }
        int[] before = wanted.stream().mapToInt(limits::indexOf).toArray();
        open.forEach(request -> request.renumber(before));
        left.forEach(request -> request.renumber(before));
        limits = wanted;
        limitMicros = wanted.stream().mapToLong(limit -> limit.toNanos() / 1_000).toArray();
    }

    /** Nobody will tell the end of what the stream reported; whether there was any. */
    // The very stream: another one of the same proxy is another one.
    @SuppressWarnings("ReferenceEquality")
    boolean forgetStream(ProxyStream stream, long now) {
        int before = open.size();
        open.removeIf(request -> request.stream() == stream,
                request -> forget(request, now, ForgetReason.STREAM_CLOSED));
        return open.size() < before;
    }

    /** Ends get lost when a proxy's buffer overflows. */
    void forgetStartedBefore(long time, long now) {
        open.removeIf(request -> request.startedAt() < time,
                request -> forget(request, now, ForgetReason.EXPIRED));
    }

    int size() {
        return open.size();
    }

    private void count(Map<String, Hanging> byInstance, InFlightRequest request, long windowEnd) {
        byInstance.computeIfAbsent(request.instance(), instance -> nothing()).count(request, windowEnd);
    }

    private @Nullable InFlightRequest remove(ProxyStream stream, RequestReport end) {
        return open.remove(RequestKey.high(end.requestId(), stream.nodeHash()),
                RequestKey.low(end.requestId(), stream.nodeHash()));
    }

    private void forget(InFlightRequest request, long at, ForgetReason reason) {
        ledger.forget(reason);
        request.leave(at, false);
        left.add(request);
    }

    private void keep(InFlightRequest request) {
        if (spare.size() < MOST_SPARE) {
            spare.addLast(request);
        }
    }
}

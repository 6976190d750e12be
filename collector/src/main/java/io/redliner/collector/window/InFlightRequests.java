// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests of one service that are in flight, or were at the end of a window that is not sealed yet. */
final class InFlightRequests {

    private final int capacity;

    private final RecordLedger ledger;

    private final Map<Key, InFlightRequest> open = new HashMap<>();

    /** They left, and still matter for a window that is open. */
    private final List<InFlightRequest> left = new ArrayList<>();

    InFlightRequests(int capacity, RecordLedger ledger) {
        this.capacity = capacity;
        this.ledger = ledger;
    }

    /** Follows a request; false when there are too many. */
    boolean start(ProxyStream stream, RequestRecord.Started start) {
        Key key = new Key(stream.node(), start.requestId());
        InFlightRequest earlier = open.remove(key);
        if (earlier != null) {
            forget(earlier, start.at(), ForgetReason.SUPERSEDED);
        }
        if (open.size() + left.size() >= capacity) {
            return false;
        }
        open.put(key, new InFlightRequest(stream, start.instance(), start.at()));
        return true;
    }

    /**
     * A request ended, and its latency is counted in an open window.
     *
     * @param windowStart the start of that window: a request that began in it is in flight at no window's end
     */
    void end(ProxyStream stream, RequestRecord.Ended end, Instant windowStart) {
        InFlightRequest request = open.remove(new Key(stream.node(), end.requestId()));
        if (request == null) {
            return;
        }
        if (request.startedAt().isBefore(windowStart) || request.overdueBefore()) {
            request.leave(end.at(), true);
            left.add(request);
        }
    }

    /** A request ended, and its latency is counted nowhere: when it was counted as overdue, it stays so. */
    void discard(ProxyStream stream, RequestRecord.Ended end) {
        open.remove(new Key(stream.node(), end.requestId()));
    }

    /** What hung at the end of a window, by instance. Windows are to be asked for in order, each once. */
    Map<String, Hanging> atEndOf(Instant windowEnd, List<Duration> limits) {
        Map<String, Hanging> byInstance = new HashMap<>();
        for (InFlightRequest request : open.values()) {
            byInstance.computeIfAbsent(request.instance(), instance -> new Hanging(limits)).count(request, windowEnd);
        }
        for (InFlightRequest request : left) {
            byInstance.computeIfAbsent(request.instance(), instance -> new Hanging(limits)).count(request, windowEnd);
        }
        left.removeIf(request -> request.leftBefore(windowEnd));
        return byInstance;
    }

    /** The run names other limits. What was counted against the others is forgotten. */
    void keepOnly(List<Duration> limits) {
        open.values().forEach(request -> request.keepOnly(limits));
        left.forEach(request -> request.keepOnly(limits));
    }

    /** Nobody will tell the end of what the stream reported. */
    void forgetStream(ProxyStream stream, Instant now) {
        forgetAll(now, ForgetReason.STREAM_CLOSED, Instant.MAX, stream);
    }

    /** Ends get lost when a proxy's buffer overflows. */
    void forgetStartedBefore(Instant time, Instant now) {
        forgetAll(now, ForgetReason.EXPIRED, time, null);
    }

    int size() {
        return open.size();
    }

    private void forgetAll(Instant now, ForgetReason reason, Instant startedBefore,
            @Nullable ProxyStream stream) {
        for (Iterator<InFlightRequest> all = open.values().iterator(); all.hasNext();) {
            InFlightRequest request = all.next();
            if (request.startedAt().isBefore(startedBefore) && (stream == null || stream.equals(request.stream()))) {
                all.remove();
                forget(request, now, reason);
            }
        }
    }

    private void forget(InFlightRequest request, Instant at, ForgetReason reason) {
        ledger.forget(reason);
        request.leave(at, false);
        left.add(request);
    }

    private record Key(String node, String requestId) {}
}

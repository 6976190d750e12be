// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Latencies of each instance of a service over the last two minutes, while no run is live on it. When a run begins, two of its
 * windows carry the history: the first window may be lost, or begin before the analyzer knows of the run. Guarded by the lock of
 * {@link ServiceAggregator}.
 */
final class LatencyHistories {

    private static final int TIMES = 2;

    private static final long REPEATED_AFTER_MILLIS = 2_000;

    private final int maxInstances;

    private final Map<String, LatencyHistoryRecorder> byInstance = new HashMap<>();

    /** The start of the first window that is to carry the history, in milliseconds since the epoch. */
    private long due = Long.MAX_VALUE;

    private int handedOver;

    LatencyHistories(int maxInstances) {
        this.maxInstances = maxInstances;
    }

    /** Adds the end of a request while no run is live on the service. */
    void add(RequestRecord end) {
        if (end.isCancelled() || end.isStream() || end.attempts() > 1) {
            return;
        }
        LatencyHistoryRecorder recorder = byInstance.get(end.instance());
        if (recorder == null) {
            if (byInstance.size() >= maxInstances) {
                return;
            }
            recorder = new LatencyHistoryRecorder();
            byInstance.put(end.instance(), recorder);
        }
        recorder.add(end.atMicros() / 1_000, end.latencyMicros());
    }

    /** Forgets a time in which the collector could not measure well; milliseconds since the epoch. */
    void forget(long from, long to) {
        byInstance.values().forEach(recorder -> recorder.forget(from, to));
    }

    /** Forgets instances that have had no request for two minutes; milliseconds since the epoch. */
    void forgetBefore(long time) {
        byInstance.values().removeIf(recorder -> recorder.isOver(time));
    }

    void forgetAll() {
        due = Long.MAX_VALUE;
        byInstance.clear();
    }

    /** Hands the history over to a run, whose first window begins at {@code start} in milliseconds since the epoch. */
    void handOver(long start) {
        due = start;
        handedOver = 0;
    }

    /** Returns whether the window with this start, in milliseconds since the epoch, carries the history. */
    boolean isDue(long windowStart) {
        return windowStart >= due;
    }

    /** Returns the history of an instance; empty when nothing is known. */
    Optional<LatencyHistory> of(String instance) {
        LatencyHistoryRecorder recorder = byInstance.get(instance);
        return recorder == null ? Optional.empty() : recorder.history();
    }

    /** Notes that the windows with this start carried the history. */
    void handedOver(long windowStart) {
        handedOver++;
        due = windowStart + REPEATED_AFTER_MILLIS;
        if (handedOver == TIMES) {
            forgetAll();
        }
    }
}

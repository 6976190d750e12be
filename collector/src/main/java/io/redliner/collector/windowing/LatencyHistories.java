// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long the requests of each instance of a service took lately, while nobody tests it. When a run begins that is handed over, more
 * than once: the first window of a run may be lost, or begin before the analyzer knows of the run. Guarded by the lock of
 * {@link ServiceAggregator}.
 */
final class LatencyHistories {

    private static final int TIMES = 2;

    private static final long REPEATED_AFTER_MILLIS = 2_000;

    private final int maxInstances;

    private final Map<String, LatencyHistoryRecorder> byInstance = new HashMap<>();

    /** From then on a window of a run hands them over, in milliseconds since the epoch. */
    private long due = Long.MAX_VALUE;

    private int handedOver;

    LatencyHistories(int maxInstances) {
        this.maxInstances = maxInstances;
    }

    /** The end of a request of a service that nobody tests. */
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

    /** A run begins: its first window is to have them, which begins then, in milliseconds since the epoch. */
    void handOver(long start) {
        due = start;
        handedOver = 0;
    }

    /** Returns whether a window of a run that begins then has them, in milliseconds since the epoch. */
    boolean isDue(long windowStart) {
        return windowStart >= due;
    }

    /** The history of an instance; empty when nothing is known. */
    Optional<LatencyHistory> of(String instance) {
        LatencyHistoryRecorder recorder = byInstance.get(instance);
        return recorder == null ? Optional.empty() : recorder.history();
    }

    /** A window that begins then has them. */
    void handedOver(long windowStart) {
        handedOver++;
        due = windowStart + REPEATED_AFTER_MILLIS;
        if (handedOver == TIMES) {
            forgetAll();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

/** A request that was sent to an instance and whose end is not in a sealed window yet. Times in microseconds. */
final class InFlightRequest {

    private long high;

    private long low;

    private ProxyStream stream;

    private String instance;

    private long startedAt;

    private int weight;

    private long leftAt;

    private boolean settles;

    /** A bit for each latency limit against which it was counted as overdue. */
    private long counted;

    InFlightRequest(long high, long low, ProxyStream stream, String instance, long startedAt, int weight) {
        this.stream = stream;
        this.instance = instance;
        begin(high, low, stream, instance, startedAt, weight);
    }

    /** Stands for another request from now on. */
    void begin(long keyHigh, long keyLow, ProxyStream reportedBy, String address, long atMicros, int requests) {
        high = keyHigh;
        low = keyLow;
        stream = reportedBy;
        instance = address;
        startedAt = atMicros;
        weight = requests;
        leftAt = Long.MAX_VALUE;
        settles = false;
        counted = 0;
    }

    boolean is(long keyHigh, long keyLow) {
        return high == keyHigh && low == keyLow;
    }

    /** Where it belongs in a table. */
    long hash() {
        return low;
    }

    ProxyStream stream() {
        return stream;
    }

    String instance() {
        return instance;
    }

    long startedAt() {
        return startedAt;
    }

    /** It stands for so many requests. */
    int weight() {
        return weight;
    }

    boolean overdueBefore() {
        return counted != 0;
    }

    /**
     * It is in flight no longer.
     *
     * @param settling whether its latency is counted in the window of that time; a request that is merely forgotten
     *        stays counted as overdue, for it was slow
     */
    void leave(long atMicros, boolean settling) {
        leftAt = Math.max(atMicros, startedAt);
        settles = settling;
    }

    boolean inFlightAt(long time) {
        return startedAt < time && leftAt >= time;
    }

    boolean leftBefore(long time) {
        return leftAt < time;
    }

    /** True once for each limit: when the request is older than it at that time. */
    boolean passes(int limit, long limitMicros, long time) {
        long bit = 1L << limit;
        if (time - startedAt > limitMicros && (counted & bit) == 0) {
            counted |= bit;
            return true;
        }
        return false;
    }

    boolean settles(int limit) {
        return settles && (counted & (1L << limit)) != 0;
    }

    /**
     * The limits are others from now on.
     *
     * @param before for each limit its place among the earlier ones, below 0 when it is new
     */
    void renumber(int[] before) {
        long kept = 0;
        for (int limit = 0; limit < before.length; limit++) {
            if (before[limit] >= 0 && (counted & (1L << before[limit])) != 0) {
                kept |= 1L << limit;
            }
        }
        counted = kept;
    }
}

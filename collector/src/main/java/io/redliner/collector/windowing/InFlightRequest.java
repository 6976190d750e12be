// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** An attempt of a request: it was sent to an instance, and its end is not in a sealed window yet. Times in microseconds. */
final class InFlightRequest {

    private long high;

    private long low;

    private RequestRecordStream stream;

    private String instance;

    private long startedAt;

    private long proxyStartedAt;

    private int weight;

    private long expiresAt;

    private long leftAt;

    private boolean settles;

    /** A bit for each latency limit against which it was counted as overdue. */
    private long counted;

    private boolean ended;

    private boolean isStream;

    private final RequestRecord outcome = new RequestRecord();

    InFlightRequest(RequestRecordStream stream, String instance) {
        this.stream = stream;
        this.instance = instance;
    }

    /**
     * Stands for another request from now on.
     *
     * @param proxyStart when it started by the proxy's clock
     * @param correction of that clock then
     */
    void begin(long keyHigh, long keyLow, RequestRecordStream reportedBy, String address, long proxyStart,
            long correction,
            int requests) {
        high = keyHigh;
        low = keyLow;
        stream = reportedBy;
        instance = address;
        proxyStartedAt = proxyStart;
        startedAt = proxyStart + correction;
        weight = requests;
        expiresAt = Long.MAX_VALUE;
        leftAt = Long.MAX_VALUE;
        settles = false;
        counted = 0;
        ended = false;
    }

    boolean is(long keyHigh, long keyLow) {
        return high == keyHigh && low == keyLow;
    }

    /** Where it belongs in a table. */
    long hash() {
        return low;
    }

    RequestRecordStream stream() {
        return stream;
    }

    String instance() {
        return instance;
    }

    long startedAt() {
        return startedAt;
    }

    /** Its end is not waited for any longer than until then. */
    void expireAt(long atMicros) {
        expiresAt = atMicros;
    }

    boolean expiredAt(long time) {
        return expiresAt < time;
    }

    /** It is a long stream, and counts in no window as a request in flight. */
    void asStream(boolean longLived) {
        isStream = longLived;
    }

    boolean isStream() {
        return isStream;
    }

    /** As the proxy said it: no other attempt of the request at the instance has the same. */
    long proxyStartedAt() {
        return proxyStartedAt;
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

    /** Its instance is done with it, the proxy perhaps not: it may try again. */
    void attemptEnded(RequestRecord end) {
        outcome.copy(end);
        ended = true;
        leave(end.atMicros(), false);
    }

    /** Whether the proxy reported how this attempt ended. */
    boolean attemptEnded() {
        return ended;
    }

    /** How this attempt ended; to be filled in when the proxy did not report it. */
    RequestRecord outcome() {
        return outcome;
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

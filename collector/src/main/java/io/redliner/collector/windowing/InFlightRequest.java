// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** One attempt of a request: it was sent to an instance, and the window of its end is not closed yet. Times in microseconds. */
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

    private final RequestRecord endRecord = new RequestRecord();

    InFlightRequest(RequestRecordStream stream, String instance) {
        this.stream = stream;
        this.instance = instance;
    }

    /**
     * Reuses this object for another request.
     *
     * @param proxyStart when the request started by the proxy's clock
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

    /** Returns the hash by which a table finds the request. */
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

    /** Sets the time after which the collector no longer waits for the end of the request. */
    void expireAt(long atMicros) {
        expiresAt = atMicros;
    }

    boolean expiredAt(long time) {
        return expiresAt < time;
    }

    /** Marks the request as a long stream, which counts in no window as a request in flight. */
    void asStream(boolean longLived) {
        isStream = longLived;
    }

    boolean isStream() {
        return isStream;
    }

    /** Returns the start by the proxy's clock, which no other attempt of the request at the instance shares. */
    long proxyStartedAt() {
        return proxyStartedAt;
    }

    /** Returns the number of requests that this one stands for. */
    int weight() {
        return weight;
    }

    boolean overdueBefore() {
        return counted != 0;
    }

    /**
     * Ends the time in which the request counts as in flight.
     *
     * @param settling whether its latency is counted in the window of that time; a request that is merely forgotten stays counted
     * as overdue, for it was slow
     */
    void leave(long atMicros, boolean settling) {
        leftAt = Math.max(atMicros, startedAt);
        settles = settling;
    }

    /** Keeps how the attempt ended at its instance. The request may go on: the proxy may try again. */
    void attemptEnded(RequestRecord end) {
        endRecord.copy(end);
        ended = true;
        leave(end.atMicros(), false);
    }

    /** Returns whether the proxy reported the end of this attempt. */
    boolean attemptEnded() {
        return ended;
    }

    /** Returns the record of the attempt's end; the caller fills it in when the proxy did not report one. */
    RequestRecord endRecord() {
        return endRecord;
    }

    boolean inFlightAt(long time) {
        return startedAt < time && leftAt >= time;
    }

    boolean leftBefore(long time) {
        return leftAt < time;
    }

    /** Returns true once for each limit: at the first time at which the request is older than the limit. */
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
     * Carries the marks of overdue requests over to a new list of limits.
     *
     * @param before for each new limit its place in the old list, below 0 when it is new
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

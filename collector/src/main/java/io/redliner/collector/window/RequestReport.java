// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import org.jspecify.annotations.Nullable;

/**
 * What a proxy reports of one request to one instance. All times are the proxy's. It is filled again for record after
 * record, so that counting a record makes no garbage; who wants to keep one takes another.
 */
public final class RequestReport {

    private RecordKind kind = RecordKind.START;

    private String requestId = "";

    private String instance = "";

    private long atMicros;

    private double weight;

    private boolean outside;

    private long latencyMicros;

    private long upstreamMicros;

    private @Nullable ErrorClass error;

    private long received;

    private long sent;

    private int grpcStatus;

    /**
     * The request was sent to the instance. Everything else is as if nothing had been said of it.
     *
     * @param requestId identifies the request among those of one proxy; start and end carry the same one
     * @param instance as host:port
     * @param atMicros when, in microseconds since the epoch
     * @return this
     */
    public RequestReport start(String requestId, String instance, long atMicros) {
        if (requestId.isEmpty() || instance.isEmpty()) {
            throw new IllegalArgumentException("a start needs a request id and an instance");
        }
        return fill(RecordKind.START, requestId, instance, atMicros);
    }

    /**
     * The request ended. Everything else is as if nothing had been said of it.
     *
     * @param requestId the id of its start; empty when unknown, then it settles nothing in flight
     * @param instance the instance that it was sent to last, as host:port
     * @param atMicros when, in microseconds since the epoch
     * @param latencyMicros from its first byte in to the last byte sent to the user, not negative
     * @return this
     */
    public RequestReport end(String requestId, String instance, long atMicros, long latencyMicros) {
        if (instance.isEmpty() || latencyMicros < 0) {
            throw new IllegalArgumentException("an end needs an instance and a latency of 0 or more");
        }
        fill(RecordKind.END, requestId, instance, atMicros);
        this.latencyMicros = latencyMicros;
        return this;
    }

    private RequestReport fill(RecordKind filled, String id, String address, long at) {
        kind = filled;
        requestId = id;
        instance = address;
        atMicros = at;
        weight = 1;
        outside = false;
        latencyMicros = 0;
        upstreamMicros = -1;
        error = null;
        received = 0;
        sent = 0;
        grpcStatus = -1;
        return this;
    }

    /** It is none of those that the lease in force speaks of. */
    public RequestReport outside(boolean notSpokenOf) {
        outside = notSpokenOf;
        return this;
    }

    /** It failed, for this first cause; null when it did not. */
    public RequestReport failed(@Nullable ErrorClass cause) {
        error = cause;
        return this;
    }

    /** From the first byte sent to the instance to the last one received from it; below 0 when that is not known. */
    public RequestReport upstream(long micros) {
        upstreamMicros = micros;
        return this;
    }

    /** Bytes of bodies: received from the user, and sent to the user. */
    public RequestReport bytes(long fromUser, long toUser) {
        received = Math.max(0, fromUser);
        sent = Math.max(0, toUser);
        return this;
    }

    /** The status of a gRPC call, 0 to 16; below 0 when it is none. */
    public RequestReport grpcStatus(int status) {
        grpcStatus = status;
        return this;
    }

    /**
     * It stands for so many like it, because the proxy reports a sample only.
     *
     * @param requests 1 or more, and finite
     */
    public RequestReport weight(double requests) {
        if (!(requests >= 1 && requests <= 1e6)) {
            throw new IllegalArgumentException("a record stands for 1 to a million requests; not " + requests);
        }
        weight = requests;
        return this;
    }

    /** Whether this is a start or an end. */
    public RecordKind kind() {
        return kind;
    }

    /** See {@link #start}. */
    public String requestId() {
        return requestId;
    }

    /** See {@link #start}. */
    public String instance() {
        return instance;
    }

    /** The time that decides which window the record belongs to, in microseconds since the epoch. */
    public long atMicros() {
        return atMicros;
    }

    /** See {@link #weight(double)}. */
    public double weight() {
        return weight;
    }

    /** See {@link #outside(boolean)}. */
    public boolean outside() {
        return outside;
    }

    /** Of an end, see {@link #end}. */
    public long latencyMicros() {
        return latencyMicros;
    }

    /** Of an end, see {@link #upstream}. */
    public long upstreamMicros() {
        return upstreamMicros;
    }

    /** Of an end, see {@link #failed}. */
    public @Nullable ErrorClass error() {
        return error;
    }

    /** Of an end: bytes from the user. */
    public long received() {
        return received;
    }

    /** Of an end: bytes to the user. */
    public long sent() {
        return sent;
    }

    /** Of an end, see {@link #grpcStatus(int)}. */
    public int grpcStatus() {
        return grpcStatus;
    }
}

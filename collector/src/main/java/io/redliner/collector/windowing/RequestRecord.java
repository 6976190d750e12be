// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import org.jspecify.annotations.Nullable;

/**
 * A proxy's report of the start or the end of one request at one instance. All times are the proxy's until they are corrected.
 * The object is filled again for record after record, so that counting a record makes no garbage; a caller that keeps one copies
 * it.
 */
public final class RequestRecord {

    private RecordKind kind = RecordKind.START;

    private String requestId = "";

    private String instance = "";

    private long proxyMicros;

    private long correctionMicros;

    private double weight;

    private boolean outside;

    private boolean attempt;

    private int attempts;

    private long timeoutMicros;

    private boolean cancelled;

    private long latencyMicros;

    private long firstByteMicros;

    private @Nullable RequestError error;

    private @Nullable ProxyLimit limit;

    private int status;

    private int grpcStatus;

    private String path = "";

    private String traceContext = "";

    private boolean isStream;

    /**
     * Makes this the record of a request that was sent to an instance. All other fields are reset.
     *
     * @param requestId identifies the request among those of one proxy; start and end carry the same one
     * @param instance as host:port
     * @param atMicros when, in microseconds since the epoch
     * @return this
     */
    public RequestRecord start(String requestId, String instance, long atMicros) {
        if (requestId.isEmpty() || instance.isEmpty()) {
            throw new IllegalArgumentException("a start needs a request id and an instance");
        }
        return fill(RecordKind.START, requestId, instance, atMicros);
    }

    /**
     * Makes this the record of a request that ended. All other fields are reset.
     *
     * @param requestId the id of its start; empty when unknown, then it ends no request in flight
     * @param instance the instance that it was sent to last, as host:port
     * @param atMicros when, in microseconds since the epoch
     * @param latencyMicros from the first byte of the request to the last byte sent to the user, not negative
     * @return this
     */
    public RequestRecord end(String requestId, String instance, long atMicros, long latencyMicros) {
        if (instance.isEmpty() || latencyMicros < 0) {
            throw new IllegalArgumentException("an end needs an instance and a latency of 0 or more");
        }
        fill(RecordKind.END, requestId, instance, atMicros);
        this.latencyMicros = latencyMicros;
        return this;
    }

    /**
     * Makes this the record of one attempt that ended at its instance; the request may go on with another attempt. All other
     * fields are reset.
     *
     * @param requestId the id of its start, not empty
     * @param instance the instance that it was sent to, as host:port
     * @param startMicros the time of its start, in microseconds since the epoch: no other attempt has the same
     * @param durationMicros from then to its end, not negative
     * @return this
     */
    public RequestRecord attempt(String requestId, String instance, long startMicros, long durationMicros) {
        if (requestId.isEmpty()) {
            throw new IllegalArgumentException("an attempt needs a request id");
        }
        end(requestId, instance, startMicros + durationMicros, durationMicros);
        attempt = true;
        return this;
    }

    private RequestRecord fill(RecordKind filled, String id, String address, long at) {
        kind = filled;
        requestId = id;
        instance = address;
        proxyMicros = at;
        correctionMicros = 0;
        weight = 1;
        outside = false;
        attempt = false;
        attempts = 1;
        timeoutMicros = 0;
        cancelled = false;
        latencyMicros = 0;
        firstByteMicros = -1;
        error = null;
        limit = null;
        status = 0;
        grpcStatus = -1;
        path = "";
        traceContext = "";
        isStream = false;
        return this;
    }

    /** Copies all fields of another record. */
    RequestRecord copy(RequestRecord other) {
        fill(other.kind, other.requestId, other.instance, other.proxyMicros);
        correctionMicros = other.correctionMicros;
        weight = other.weight;
        outside = other.outside;
        attempt = other.attempt;
        attempts = other.attempts;
        timeoutMicros = other.timeoutMicros;
        cancelled = other.cancelled;
        latencyMicros = other.latencyMicros;
        firstByteMicros = other.firstByteMicros;
        error = other.error;
        limit = other.limit;
        status = other.status;
        grpcStatus = other.grpcStatus;
        path = other.path;
        traceContext = other.traceContext;
        isStream = other.isStream;
        return this;
    }

    /** Sets how far the proxy's clock is behind the collector's, in microseconds; below 0 when it is ahead. */
    RequestRecord corrected(long micros) {
        correctionMicros = micros;
        return this;
    }

    /** Sets the latency of an end, in microseconds. */
    RequestRecord latency(long micros) {
        latencyMicros = Math.max(0, micros);
        return this;
    }

    /** Sets whether the request is one that the lease in force does not cover. */
    public RequestRecord outside(boolean unaddressed) {
        outside = unaddressed;
        return this;
    }

    /**
     * Sets the number of instances to which the proxy sent the request, one after the other or at the same time. Ends only.
     *
     * @param count 1 for a request that was not retried; 0 when the proxy does not report it
     */
    public RequestRecord attempts(int count) {
        attempts = count;
        return this;
    }

    /** Sets the proxy's timeout for the request, in microseconds; 0 when it is not known. */
    public RequestRecord timeout(long micros) {
        timeoutMicros = Math.max(0, micros);
        return this;
    }

    /** Marks the request as one that the user hung up on before it was over. */
    public RequestRecord cancelled() {
        cancelled = true;
        return this;
    }

    /** Sets why the request failed, by its first cause; null when it did not fail. */
    public RequestRecord failed(@Nullable RequestError cause) {
        error = cause;
        return this;
    }

    /** Sets the limit of the proxy that ended the request; null when none did. */
    public RequestRecord limited(@Nullable ProxyLimit cause) {
        limit = cause;
        return this;
    }

    /** Sets the HTTP status of the answer; 0 while no header has arrived. */
    public RequestRecord status(int code) {
        status = code;
        return this;
    }

    /** Sets the status of a gRPC call, 0 to 16; below 0 when the request is not a gRPC call. */
    public RequestRecord grpcStatus(int status) {
        grpcStatus = status;
        return this;
    }

    /** Sets the path as the user requested it, with its query; empty when it is not known. */
    public RequestRecord path(String requestPath) {
        path = requestPath;
        return this;
    }

    /** Sets the header that names the request's trace, see {@link SlowestRequests#traceId}; empty when it has none. */
    public RequestRecord traceContext(String header) {
        traceContext = header;
        return this;
    }

    /**
     * Sets whether the request is a long stream: a WebSocket, server-sent events, a gRPC stream. The end's value is final; a
     * start may be marked as one by what the client asks for.
     */
    public RequestRecord stream(boolean longLived) {
        isStream = longLived;
        return this;
    }

    /**
     * Sets the number of requests that the record stands for, because the proxy reports a sample only.
     *
     * @param requests 1 to a million
     */
    public RequestRecord weight(double requests) {
        if (!(requests >= 1 && requests <= 1e6)) {
            throw new IllegalArgumentException("a record stands for 1 to a million requests; not " + requests);
        }
        weight = requests;
        return this;
    }

    /** Returns whether this is a start or an end. */
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

    /** Returns the time that decides which window the record belongs to, in microseconds since the epoch. */
    public long atMicros() {
        return proxyMicros + correctionMicros;
    }

    /** Returns the same time by the proxy's clock, not corrected. */
    long proxyMicros() {
        return proxyMicros;
    }

    /** See {@link #corrected}. */
    long correctionMicros() {
        return correctionMicros;
    }

    /** See {@link #weight(double)}. */
    public double weight() {
        return weight;
    }

    /** See {@link #outside(boolean)}. */
    public boolean outside() {
        return outside;
    }

    /** Returns whether this is the end of an attempt, see {@link #attempt}. */
    public boolean isAttempt() {
        return attempt;
    }

    /** See {@link #attempts(int)}. */
    public int attempts() {
        return attempts;
    }

    /** See {@link #timeout}. */
    public long timeoutMicros() {
        return timeoutMicros;
    }

    /**
     * Returns whether the user disconnected before the instance had answered, or before the whole answer had arrived. A user who
     * leaves an answered stream ends it: that is no cancellation. For ends only.
     */
    public boolean isCancelled() {
        return cancelled && error == null && !(isStream && isAnswered());
    }

    /** Returns whether a header of the answer had arrived before the end. */
    boolean isAnswered() {
        return status > 0;
    }

    /**
     * Returns whether the instance determined how long the request took. For streams, and for answers that the user broke off,
     * the user did.
     */
    boolean hasLatency() {
        return !isStream && (!isCancelled() || !isAnswered());
    }

    /** See {@link #end}. */
    public long latencyMicros() {
        return latencyMicros;
    }

    /**
     * Sets the time to the first byte of the answer. Ends only.
     *
     * @param micros from the first byte of the request to the first byte of the answer; below 0 when there was none
     */
    public RequestRecord firstByte(long micros) {
        firstByteMicros = micros;
        return this;
    }

    /** See {@link #firstByte}. */
    public long firstByteMicros() {
        return firstByteMicros;
    }

    /** See {@link #failed}. */
    public @Nullable RequestError error() {
        return error;
    }

    /** See {@link #limited}. After classification only a limit that RedLiner chose is left. */
    public @Nullable ProxyLimit limit() {
        return limit;
    }

    /** See {@link #status(int)}. */
    public int status() {
        return status;
    }

    /** See {@link #grpcStatus(int)}. */
    public int grpcStatus() {
        return grpcStatus;
    }

    /** See {@link #path(String)}. */
    public String path() {
        return path;
    }

    /** See {@link #traceContext(String)}. */
    public String traceContext() {
        return traceContext;
    }

    /** See {@link #stream(boolean)}. */
    public boolean isStream() {
        return isStream;
    }

    /** Kinds of records: the start and the end of a request. */
    public enum RecordKind {

        /** The request was sent to an instance. */
        START,

        /** The request ended, with or without an answer. */
        END
    }
}

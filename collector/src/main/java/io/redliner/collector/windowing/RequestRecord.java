// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import org.jspecify.annotations.Nullable;

/**
 * What a proxy reports of one request to one instance. All times are the proxy's until they are corrected. It is filled again for record after
 * record, so that counting a record makes no garbage; who wants to keep one takes another.
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

    private boolean isStream;

    /**
     * The request was sent to the instance. Everything else is as if nothing had been said of it.
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
     * The request ended. Everything else is as if nothing had been said of it.
     *
     * @param requestId the id of its start; empty when unknown, then it settles nothing in flight
     * @param instance the instance that it was sent to last, as host:port
     * @param atMicros when, in microseconds since the epoch
     * @param latencyMicros from its first byte in to the last byte sent to the user, not negative
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
     * One attempt of the request ended at its instance; the request may go on with another one. Everything else is as if nothing had
     * been said of it.
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
        isStream = false;
        return this;
    }

    /** The same as another report. */
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
        isStream = other.isStream;
        return this;
    }

    /** The proxy's clock is so far behind the collector's, in microseconds; below 0 when it is ahead. */
    RequestRecord corrected(long micros) {
        correctionMicros = micros;
        return this;
    }

    /** Of an end: it took so long, in microseconds. */
    RequestRecord latency(long micros) {
        latencyMicros = Math.max(0, micros);
        return this;
    }

    /** It is none of those that the lease in force speaks of. */
    public RequestRecord outside(boolean notSpokenOf) {
        outside = notSpokenOf;
        return this;
    }

    /**
     * Of an end: to how many instances, one after the other or beside each other, the proxy sent the request.
     *
     * @param count 1 for a request that was not retried; 0 when the proxy does not tell
     */
    public RequestRecord attempts(int count) {
        attempts = count;
        return this;
    }

    /** The proxy gives it up after so long, in microseconds; 0 when that is not known. */
    public RequestRecord timeout(long micros) {
        timeoutMicros = Math.max(0, micros);
        return this;
    }

    /** The user hung up before it was over. */
    public RequestRecord cancelled() {
        cancelled = true;
        return this;
    }

    /** It failed, for this first cause; null when it did not. */
    public RequestRecord failed(@Nullable RequestError cause) {
        error = cause;
        return this;
    }

    /** A limit of the proxy ended it; null when none did. */
    public RequestRecord limited(@Nullable ProxyLimit cause) {
        limit = cause;
        return this;
    }

    /** The HTTP status of the answer; 0 as long as no header of it had come. */
    public RequestRecord status(int code) {
        status = code;
        return this;
    }

    /** The status of a gRPC call, 0 to 16; below 0 when it is none. */
    public RequestRecord grpcStatus(int status) {
        grpcStatus = status;
        return this;
    }

    /** The path that the user asked for, with its query; empty when it is not known. */
    public RequestRecord path(String asked) {
        path = asked;
        return this;
    }

    /**
     * Whether it is a long stream: a WebSocket, server-sent events, a gRPC stream. Its end decides; a start may be taken for one by what the
     * client asks for.
     */
    public RequestRecord stream(boolean longLived) {
        isStream = longLived;
        return this;
    }

    /**
     * It stands for so many like it, because the proxy reports a sample only.
     *
     * @param requests 1 or more, and finite
     */
    public RequestRecord weight(double requests) {
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
        return proxyMicros + correctionMicros;
    }

    /** The same time as the proxy said it. */
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

    /** Whether this is the end of an attempt, see {@link #attempt}. */
    public boolean isAttempt() {
        return attempt;
    }

    /** Of an end, see {@link #attempts(int)}. */
    public int attempts() {
        return attempts;
    }

    /** See {@link #timeout}. */
    public long timeoutMicros() {
        return timeoutMicros;
    }

    /**
     * Of an end: the user hung up before it was known what the instance would answer, or whether it would all the answer. A user who leaves an
     * answered stream ends it: that is no cancellation.
     */
    public boolean isCancelled() {
        return cancelled && error == null && !(isStream && isAnswered());
    }

    /** Of an end: whether a header of the answer had come. */
    boolean isAnswered() {
        return status > 0;
    }

    /** Of an end: whether its time is one that the instance took. How long a user stays with an answer, or with a stream, is not. */
    boolean hasLatency() {
        return !isStream && (!isCancelled() || !isAnswered());
    }

    /** Of an end, see {@link #end}. */
    public long latencyMicros() {
        return latencyMicros;
    }

    /**
     * It ended with an answer.
     *
     * @param micros from the first byte of the request to the first byte of the answer; below 0 when there was none
     */
    public RequestRecord firstByte(long micros) {
        firstByteMicros = micros;
        return this;
    }

    /** Of an end, see {@link #firstByte}. */
    public long firstByteMicros() {
        return firstByteMicros;
    }

    /** Of an end, see {@link #failed}. */
    public @Nullable RequestError error() {
        return error;
    }

    /** Of an end, see {@link #limited}; once it is classified, a limit of RedLiner's own alone. */
    public @Nullable ProxyLimit limit() {
        return limit;
    }

    /** Of an end, see {@link #status(int)}. */
    public int status() {
        return status;
    }

    /** Of an end, see {@link #grpcStatus(int)}. */
    public int grpcStatus() {
        return grpcStatus;
    }

    /** See {@link #path(String)}. */
    public String path() {
        return path;
    }

    /** See {@link #stream(boolean)}. */
    public boolean isStream() {
        return isStream;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogCommon;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPRequestProperties;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPResponseProperties;
import io.envoyproxy.envoy.data.accesslog.v3.ResponseFlags;
import io.redliner.collector.windowing.RequestError;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.RequestRecord;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import io.redliner.contract.RouteNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the entries of Envoy's HTTP access log that come over one stream, without allocating objects. For one thread. */
final class AccessLogEntryDecoder {

    /** A custom tag for proxies that log a sample by a filter, because Envoy does not fill in {@code sample_rate} then. */
    private static final String SAMPLE_RATE_TAG = "redliner.sample_rate";

    /** A request id made by the route of a proxy that knows the collector. Clients and other proxies do not send it on. */
    private static final String ID_HEADER = "x-redliner-id";

    /** The timeout of a request or of one attempt, in milliseconds; Envoy's router adds it to what it sends to an instance. */
    private static final String TIMEOUT_HEADER = "x-envoy-expected-rq-timeout-ms";

    /** Headers that name a request's trace: the W3C's, and both forms of Zipkin's. */
    private static final List<String> TRACE_HEADERS = List.of("traceparent", "b3", "x-b3-traceid");

    private static final String EVENTS = "text/event-stream";

    private static final long MICROS_IN_SECOND = 1_000_000;

    private static final long MICROS_IN_MILLI = 1_000;

    private static final int NANOS_IN_MICRO = 1_000;

    /** The year 5138; larger values are not accepted as a time. */
    private static final long MAX_SECONDS = 100_000_000_000L;

    private final InstanceAddressCache instances = new InstanceAddressCache();

    private @Nullable RecordDropReason dropReason;

    /** Returns whether the entry reports the start of a request or its end. */
    static RecordKind kind(HTTPAccessLogEntry entry) {
        return switch (entry.getCommonProperties().getAccessLogType()) {
            case UpstreamPoolReady -> RecordKind.START;
            default -> RecordKind.END;
        };
    }

    /** Decodes an entry into the record. Returns false when the entry is no record that counts. */
    boolean decode(HTTPAccessLogEntry entry, RequestRecord record) {
        dropReason = null;
        return switch (entry.getCommonProperties().getAccessLogType()) {
            case UpstreamPoolReady, DownstreamEnd, NotSet -> decodeRequest(entry, record);
            case UpstreamEnd -> decodeAttempt(entry, record);
            default -> false;
        };
    }

    /** Returns why the last entry is no record; null when other entries report the same. */
    @Nullable
    RecordDropReason dropReason() {
        return dropReason;
    }

    private boolean reject(RecordDropReason reason) {
        dropReason = reason;
        return false;
    }

    private boolean decodeRequest(HTTPAccessLogEntry entry, RequestRecord record) {
        AccessLogCommon common = entry.getCommonProperties();
        String instance = common.hasUpstreamRemoteAddress()
                ? instances.name(common.getUpstreamRemoteAddress())
                : refusedBy(entry);
        if (instance == null) {
            return reject(RecordDropReason.NO_UPSTREAM);
        }
        try {
            long start = start(common);
            if (kind(entry) == RecordKind.START) {
                record.start(requestId(entry), instance, start)
                        .outside(common.getRouteName().endsWith(RouteNames.OUTSIDE))
                        .timeout(timeout(entry.getRequest())).path(path(entry.getRequest()))
                        .stream(requestsStream(entry.getRequest()));
            } else {
                outcome(entry, record.end(requestId(entry), instance, start + duration(common), latency(common))
                        .attempts(Math.max(1, common.getUpstreamRequestAttemptCount()))
                        .traceContext(traceContext(entry.getRequest())));
            }
            record.weight(1 / sampleRate(common));
            return true;
        } catch (IllegalArgumentException e) {
            return reject(RecordDropReason.MALFORMED);
        }
    }

    /**
     * Returns the SUT of the test on whose route the request found no instance. The route's name carries the SUT as the test
     * placed it, because the fleet may have had instances. Null when the request was on no route of a test, or ended otherwise.
     */
    private static @Nullable String refusedBy(HTTPAccessLogEntry entry) {
        AccessLogCommon common = entry.getCommonProperties();
        String route = common.getRouteName();
        int test = route.lastIndexOf(RouteNames.REDIRECTED);
        if (test <= 0 || kind(entry) == RecordKind.START
                || FailureClassifier.classify(common.getResponseFlags()) != RequestError.REFUSED_BY_PROXY) {
            return null;
        }
        String sut = route.substring(test + RouteNames.REDIRECTED.length());
        return sut.endsWith(RouteNames.OUTSIDE)
                ? sut.substring(0, sut.length() - RouteNames.OUTSIDE.length())
                : sut;
    }

    /** Decodes the end of one attempt. For nearly all requests it repeats what the end of the request reports. */
    private boolean decodeAttempt(HTTPAccessLogEntry entry, RequestRecord record) {
        AccessLogCommon common = entry.getCommonProperties();
        if (!common.hasUpstreamRemoteAddress()) {
            return false;
        }
        try {
            outcome(entry, record.attempt(requestId(entry), instances.name(common.getUpstreamRemoteAddress()),
                    start(common), duration(common)));
            record.weight(1 / sampleRate(common));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Fills in how the request or the attempt ended. */
    private static void outcome(HTTPAccessLogEntry entry, RequestRecord record) {
        AccessLogCommon common = entry.getCommonProperties();
        ResponseFlags flags = common.getResponseFlags();
        int status = entry.getResponse().getResponseCode().getValue();
        record.failed(FailureClassifier.classify(flags, status)).limited(FailureClassifier.limit(flags))
                .timeout(timeout(entry.getRequest())).status(status).path(path(entry.getRequest()))
                .stream(isStream(entry.getResponse()))
                .grpcStatus(FailureClassifier.grpcStatus(entry.getResponse())).firstByte(firstByte(common));
        if (FailureClassifier.isCancelled(flags)) {
            record.cancelled();
        }
    }

    /**
     * Returns the id that all entries of a request carry. Upstream entries have no stream id, only the x-request-id; the stream
     * id equals it when there is one. Several requests may share an x-request-id: in a mesh all calls that one request leads to
     * have it.
     */
    private static String requestId(HTTPAccessLogEntry entry) {
        String own = header(entry.getRequest(), ID_HEADER);
        if (!own.isEmpty()) {
            return own;
        }
        String requestId = entry.getRequest().getRequestId();
        return requestId.isEmpty() ? entry.getCommonProperties().getStreamId() : requestId;
    }

    /** Returns a request header; empty when the request has none, or the proxy does not log it. */
    private static String header(HTTPRequestProperties request, String name) {
        return request.getRequestHeadersCount() == 0 ? "" : request.getRequestHeadersOrDefault(name, "");
    }

    /** Returns the header that names the request's trace; empty when it has none, or the proxy does not log it. */
    private static String traceContext(HTTPRequestProperties request) {
        for (String name : TRACE_HEADERS) {
            String context = header(request, name);
            if (!context.isEmpty()) {
                return context;
            }
        }
        return "";
    }

    /** Returns the path as the user requested it, before the route rewrote it. */
    private static String path(HTTPRequestProperties request) {
        return request.getOriginalPath().isEmpty() ? request.getPath() : request.getOriginalPath();
    }

    /** Returns whether the client accepts nothing but a stream; one that accepts other types as well may get those. */
    private static boolean requestsStream(HTTPRequestProperties request) {
        return !header(request, "upgrade").isEmpty() || header(request, "accept").equals(EVENTS);
    }

    private static boolean isStream(HTTPResponseProperties response) {
        if (response.getResponseCode().getValue() == FailureClassifier.SWITCHING_PROTOCOLS) {
            return true;
        }
        return response.getResponseHeadersCount() > 0
                && response.getResponseHeadersOrDefault("content-type", "").startsWith(EVENTS);
    }

    /** Returns the timeout in microseconds; 0 when the route has none, or the proxy does not log it. */
    private static long timeout(HTTPRequestProperties request) {
        String millis = header(request, TIMEOUT_HEADER);
        return millis.isEmpty() ? 0 : MICROS_IN_MILLI * Integer.parseInt(millis);
    }

    private static long start(AccessLogCommon common) {
        Timestamp start = common.getStartTime();
        if (!common.hasStartTime() || start.getSeconds() < 0 || start.getSeconds() > MAX_SECONDS) {
            throw new IllegalArgumentException("no start time between 1970 and 5138");
        }
        return start.getSeconds() * MICROS_IN_SECOND + start.getNanos() / NANOS_IN_MICRO;
    }

    /** Returns the time until the whole exchange was over, which is when the proxy logs it, in microseconds. */
    private static long duration(AccessLogCommon common) {
        return common.hasDuration() ? micros(common.getDuration()) : latency(common);
    }

    /**
     * Returns the time until the user had the last byte, in microseconds; until the end when there was none, as when the user
     * hung up.
     */
    private static long latency(AccessLogCommon common) {
        if (common.hasTimeToLastDownstreamTxByte()) {
            return micros(common.getTimeToLastDownstreamTxByte());
        }
        if (common.hasDuration()) {
            return micros(common.getDuration());
        }
        throw new IllegalArgumentException("no duration");
    }

    /**
     * Returns the time until the user had the first byte of an answer, in microseconds; for an attempt until the proxy had it.
     * Below 0 when there was none.
     */
    private static long firstByte(AccessLogCommon common) {
        if (common.hasTimeToFirstDownstreamTxByte()) {
            return micros(common.getTimeToFirstDownstreamTxByte());
        }
        return common.hasTimeToFirstUpstreamRxByte() ? micros(common.getTimeToFirstUpstreamRxByte()) : -1;
    }

    private static double sampleRate(AccessLogCommon common) {
        double rate = common.getSampleRate();
        if (common.getCustomTagsCount() > 0) {
            String tag = common.getCustomTagsOrDefault(SAMPLE_RATE_TAG, "");
            rate = tag.isEmpty() ? rate : Double.parseDouble(tag);
        }
        return rate == 0 ? 1 : rate;
    }

    private static long micros(Duration duration) {
        long seconds = duration.getSeconds();
        int nanos = duration.getNanos();
        if (seconds < 0 || nanos < 0 || seconds > MAX_SECONDS) {
            throw new IllegalArgumentException("a duration below 0 or above 3 000 years");
        }
        return seconds * MICROS_IN_SECOND + nanos / NANOS_IN_MICRO;
    }
}

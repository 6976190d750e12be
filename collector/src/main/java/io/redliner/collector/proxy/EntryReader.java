// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogCommon;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.redliner.collector.window.DropReason;
import io.redliner.collector.window.RecordKind;
import io.redliner.collector.window.RequestRecord;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Reads one entry of Envoy's HTTP access log. */
final class EntryReader {

    /** How the redirector names the routes of requests that a lease does not speak of. */
    private static final String OUTSIDE = "/outside";

    private EntryReader() {}

    static Reading read(HTTPAccessLogEntry entry) {
        return switch (entry.getCommonProperties().getAccessLogType()) {
            case UpstreamPoolReady -> read(entry, RecordKind.START);
            case DownstreamEnd, NotSet -> read(entry, RecordKind.END);
            default -> new Reading.Ignored();
        };
    }

    private static Reading read(HTTPAccessLogEntry entry, RecordKind kind) {
        AccessLogCommon common = entry.getCommonProperties();
        if (!common.hasUpstreamRemoteAddress()) {
            return new Reading.Rejected(kind, DropReason.NO_UPSTREAM);
        }
        try {
            String instance = instance(common.getUpstreamRemoteAddress());
            Instant start = start(common);
            return new Reading.Request(switch (kind) {
                case START -> new RequestRecord.Started(requestId(entry), instance, start,
                        common.getRouteName().endsWith(OUTSIDE));
                case END -> new RequestRecord.Ended(requestId(entry), instance, start.plus(duration(common)),
                        latency(common), FailureClassifier.classify(entry));
            });
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            return new Reading.Rejected(kind, DropReason.MALFORMED);
        }
    }

    /** Upstream entries carry no stream id, but the same x-request-id; and the stream id is that one when there is. */
    private static String requestId(HTTPAccessLogEntry entry) {
        String requestId = entry.getRequest().getRequestId();
        return requestId.isEmpty() ? entry.getCommonProperties().getStreamId() : requestId;
    }

    private static String instance(Address address) {
        if (!address.hasSocketAddress()) {
            return address.getPipe().getPath();
        }
        SocketAddress socket = address.getSocketAddress();
        String host = socket.getAddress();
        if (host.isEmpty() || socket.getPortValue() == 0) {
            return "";
        }
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + socket.getPortValue();
    }

    private static Instant start(AccessLogCommon common) {
        if (!common.hasStartTime()) {
            throw new IllegalArgumentException("no start time");
        }
        return Instant.ofEpochSecond(common.getStartTime().getSeconds(), common.getStartTime().getNanos());
    }

    /** Until the whole exchange was over, which is when the proxy logs it. */
    private static Duration duration(AccessLogCommon common) {
        if (common.hasDuration()) {
            return duration(common.getDuration());
        }
        return latency(common);
    }

    /** Until the user had the last byte; until the end when there was none, as when the user hung up. */
    private static Duration latency(AccessLogCommon common) {
        if (common.hasTimeToLastDownstreamTxByte()) {
            return duration(common.getTimeToLastDownstreamTxByte());
        }
        if (common.hasDuration()) {
            return duration(common.getDuration());
        }
        throw new IllegalArgumentException("no duration");
    }

    private static Duration duration(com.google.protobuf.Duration duration) {
        Duration length = Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
        if (length.isNegative()) {
            throw new IllegalArgumentException("a duration below 0");
        }
        return length;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogCommon;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogType;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPRequestProperties;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPResponseProperties;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage.HTTPAccessLogEntries;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage.Identifier;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowMetrics;
import io.redliner.collector.windowing.WindowSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Reads the requests of a made-up proxy into windows of their own before any proxy connects. The first message of a process takes
 * a hundred times as long as the next ones, longer than an arrived message may wait. And all proxies of a collector that stops
 * connect to the one that started last.
 */
final class AccessLogWarmUp {

    private static final String NAME = "(warm-up)";

    private static final Instant BEGIN = Instant.EPOCH.plusSeconds(1);

    private static final Instant END = BEGIN.plusSeconds(3);

    private static final int MESSAGES = 5;

    private static final int REQUESTS = 20;

    private AccessLogWarmUp() {}

    /** Performs the warm-up, and returns the number of requests that ended in closed windows. */
    static long perform() {
        MeterRegistry registry = new SimpleMeterRegistry();
        WindowAggregator windows = new WindowAggregator(WindowSettings.DEFAULT, new WindowMetrics(registry));
        windows.run(NAME, new RunWindowSettings(WindowSettings.DEFAULT.length(), List.of()), BEGIN);
        StreamObserver<StreamAccessLogsMessage> stream = new AccessLogService(windows, new AccessLogMetrics(registry),
                InstantSource.fixed(BEGIN)).streamAccessLogs(new Nobody());
        for (int number = 0; number < MESSAGES; number++) {
            stream.onNext(received(number));
        }
        return windows.closeDue(END).stream().mapToLong(window -> window.completed()).sum();
    }

    /** Returns a message that was parsed from bytes, as one from the network is. */
    private static StreamAccessLogsMessage received(int number) {
        HTTPAccessLogEntries.Builder entries = HTTPAccessLogEntries.newBuilder();
        for (int request = 0; request < REQUESTS; request++) {
            String id = NAME + number + "." + request;
            entries.addLogEntry(entry(id, AccessLogType.UpstreamPoolReady));
            entries.addLogEntry(entry(id, AccessLogType.DownstreamEnd));
        }
        try {
            return StreamAccessLogsMessage.parseFrom(StreamAccessLogsMessage.newBuilder()
                    .setIdentifier(Identifier.newBuilder().setLogName(NAME).setNode(Node.newBuilder().setId(NAME)))
                    .setHttpLogs(entries).build().toByteArray());
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static HTTPAccessLogEntry entry(String id, AccessLogType type) {
        Duration duration = Duration.newBuilder().setNanos(5_000_000).build();
        return HTTPAccessLogEntry.newBuilder()
                .setCommonProperties(AccessLogCommon.newBuilder().setAccessLogType(type)
                        .setUpstreamRemoteAddress(Address.newBuilder()
                                .setSocketAddress(SocketAddress.newBuilder().setAddress("127.0.0.1").setPortValue(1)))
                        .setStartTime(Timestamp.newBuilder().setSeconds(BEGIN.getEpochSecond())).setDuration(duration)
                        .setTimeToLastDownstreamTxByte(duration))
                .setRequest(HTTPRequestProperties.newBuilder().setRequestId(id))
                .setResponse(HTTPResponseProperties.newBuilder().setResponseCode(UInt32Value.of(200))).build();
    }

    /** Ignores the answers to the made-up proxy. */
    private static final class Nobody implements StreamObserver<StreamAccessLogsResponse> {

        @Override
        public void onNext(StreamAccessLogsResponse response) {
            // It hears nothing.
        }

        @Override
        public void onError(Throwable failure) {
            throw new IllegalStateException("refused", failure);
        }

        @Override
        public void onCompleted() {
            // Its stream stays open.
        }
    }
}

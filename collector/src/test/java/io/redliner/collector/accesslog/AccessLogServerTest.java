// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogType;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.service.accesslog.v3.AccessLogServiceGrpc;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.ListenerPortInUseException;
import io.redliner.collector.source.ListenerTls;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import io.redliner.collector.windowing.WindowSettings;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccessLogServerTest {

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final AccessLogMetrics metrics = new AccessLogMetrics(new SimpleMeterRegistry());

    private final AccessLogServer server = AccessLogServer.start(properties(0),
            new AccessLogService(windows, metrics, Clock.systemUTC()));

    private final ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext()
            .build();

    private final CompletableFuture<Void> answer = new CompletableFuture<>();

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    @Test
    void a_malformed_entry_is_counted_and_skipped() {
        StreamObserver<StreamAccessLogsMessage> stream = open();
        HTTPAccessLogEntry.Builder malformed = end();
        malformed.getCommonPropertiesBuilder().clearStartTime();

        stream.onNext(identified().setHttpLogs(StreamAccessLogsMessage.HTTPAccessLogEntries.newBuilder()
                .addLogEntry(malformed).addLogEntry(end())).build());

        await().until(() -> windows.pending(RecordKind.END) == 1);
        assertThat(windows.metrics().dropped(RecordKind.END, RecordDropReason.MALFORMED)).isEqualTo(1);
        assertThat(windows.metrics().received(RecordKind.END)).isEqualTo(2);
    }

    @Test
    void a_stream_that_does_not_say_whose_it_is_is_refused() {
        open().onNext(StreamAccessLogsMessage.newBuilder()
                .setHttpLogs(StreamAccessLogsMessage.HTTPAccessLogEntries.newBuilder().addLogEntry(end())).build());

        await().until(answer::isCompletedExceptionally);
        assertThatThrownBy(answer::join).hasMessageContaining("log_name is the service");
        assertThat(metrics.anonymousStreams()).isEqualTo(1);
        assertThat(windows.streams()).isZero();
    }

    @Test
    void a_stream_that_breaks_and_bytes_that_are_no_stream_disturb_no_other() throws Exception {
        StreamObserver<StreamAccessLogsMessage> steady = open();
        steady.onNext(identified().build());
        StreamObserver<StreamAccessLogsMessage> breaking = open();
        breaking.onNext(identified().build());
        await().until(() -> windows.streams() == 2);

        ((ClientCallStreamObserver<StreamAccessLogsMessage>) breaking).cancel("cut", null);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\7garbage"
                    .getBytes(StandardCharsets.ISO_8859_1));
        }

        await().until(() -> windows.streams() == 1);
        assertThat(metrics.brokenStreams()).isEqualTo(1);
        steady.onNext(StreamAccessLogsMessage.newBuilder()
                .setHttpLogs(StreamAccessLogsMessage.HTTPAccessLogEntries.newBuilder().addLogEntry(end())).build());
        await().until(() -> windows.pending(RecordKind.END) == 1);
    }

    @Test
    void a_stream_that_is_cut_in_the_middle_of_a_message_counts_what_came_whole_and_nothing_else() throws Exception {
        StreamAccessLogsMessage.Builder large = StreamAccessLogsMessage.newBuilder();
        for (int number = 0; number < 5_000; number++) {
            large.getHttpLogsBuilder().addLogEntry(end());
        }
        try (CutConnection cut = new CutConnection(server.port(), 50_000)) {
            ManagedChannel through = NettyChannelBuilder.forAddress("127.0.0.1", cut.port()).usePlaintext().build();
            StreamObserver<StreamAccessLogsMessage> stream = open(through);
            stream.onNext(identified().setHttpLogs(StreamAccessLogsMessage.HTTPAccessLogEntries.newBuilder()
                    .addLogEntry(end())).build());
            await().until(() -> windows.streams() == 1);

            stream.onNext(large.build());

            await().until(() -> windows.streams() == 0);
            through.shutdownNow();
        }
        assertThat(metrics.brokenStreams()).isEqualTo(1);
        assertThat(windows.metrics().received(RecordKind.END)).isEqualTo(1);
    }

    @Test
    void a_proxy_whose_clock_is_an_hour_off_is_counted_and_named_and_disturbs_no_other() {
        StreamObserver<StreamAccessLogsMessage> steady = open();
        steady.onNext(identified().build());
        open().onNext(shifted("ahead", 3_600));
        open().onNext(shifted("behind", -3_600));

        await().until(() -> windows.metrics().received(RecordKind.END) == 2);
        assertThat(windows.metrics().dropped(RecordKind.END, RecordDropReason.FUTURE)).isEqualTo(1);
        assertThat(windows.metrics().dropped(RecordKind.END, RecordDropReason.LATE)).isEqualTo(1);
        await().untilAsserted(() -> {
            SourceHealth condition = server.health();
            assertThat(condition.state()).isEqualTo(SourceHealth.State.IMPAIRED);
            assertThat(condition.details().get("ahead")).asString().contains("from 3", "in the future: set its clock");
            assertThat(condition.details().get("behind")).asString().contains("that are 3", "s old: set its clock");
        });
        steady.onNext(StreamAccessLogsMessage.newBuilder()
                .setHttpLogs(StreamAccessLogsMessage.HTTPAccessLogEntries.newBuilder().addLogEntry(end())).build());
        await().until(() -> windows.pending(RecordKind.END) == 1);
    }

    private static StreamAccessLogsMessage shifted(String node, long seconds) {
        HTTPAccessLogEntry.Builder entry = end();
        Timestamp.Builder start = entry.getCommonPropertiesBuilder().getStartTimeBuilder();
        start.setSeconds(start.getSeconds() + seconds);
        StreamAccessLogsMessage.Builder message = identified();
        message.getIdentifierBuilder().getNodeBuilder().setId(node);
        message.getHttpLogsBuilder().addLogEntry(entry);
        return message.build();
    }

    @Test
    void a_stream_that_says_that_it_is_done_is_over() {
        StreamObserver<StreamAccessLogsMessage> stream = open();
        stream.onNext(identified().build());

        stream.onCompleted();

        await().until(answer::isDone);
        assertThat(answer).isCompleted();
        assertThat(windows.streams()).isZero();
    }

    @Test
    void a_port_in_use_is_named_with_what_to_do() {
        assertThatThrownBy(() -> AccessLogServer.start(properties(server.port()),
                new AccessLogService(windows, metrics, Clock.systemUTC())))
                .isInstanceOf(ListenerPortInUseException.class)
                .hasMessageContaining("127.0.0.1:" + server.port())
                .hasMessageContaining("redliner.collector.access-log.port");
    }

    private static AccessLogProperties properties(int port) {
        return new AccessLogProperties("127.0.0.1", port, java.time.Duration.ofSeconds(1), 2, ListenerTls.NONE);
    }

    private StreamObserver<StreamAccessLogsMessage> open() {
        return open(channel);
    }

    private StreamObserver<StreamAccessLogsMessage> open(ManagedChannel to) {
        return AccessLogServiceGrpc.newStub(to).streamAccessLogs(new StreamObserver<>() {

            @Override
            public void onNext(StreamAccessLogsResponse response) {
                // Nothing is in it.
            }

            @Override
            public void onError(Throwable failure) {
                answer.completeExceptionally(Status.fromThrowable(failure).asException());
            }

            @Override
            public void onCompleted() {
                answer.complete(null);
            }
        });
    }

    private static StreamAccessLogsMessage.Builder identified() {
        StreamAccessLogsMessage.Builder message = StreamAccessLogsMessage.newBuilder();
        message.getIdentifierBuilder().setLogName("shop").getNodeBuilder().setId("node-1");
        return message;
    }

    private static HTTPAccessLogEntry.Builder end() {
        HTTPAccessLogEntry.Builder entry = HTTPAccessLogEntry.newBuilder();
        Instant now = Clock.systemUTC().instant();
        entry.getCommonPropertiesBuilder().setAccessLogType(AccessLogType.DownstreamEnd)
                .setStartTime(Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()))
                .setDuration(Duration.newBuilder().setNanos(1_000_000));
        entry.getCommonPropertiesBuilder().getUpstreamRemoteAddressBuilder().getSocketAddressBuilder()
                .setAddress("10.0.0.1").setPortValue(80);
        return entry;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc.MetricsServiceBlockingStub;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.redliner.collector.source.ListenerPortInUseException;
import io.redliner.collector.source.ListenerTls;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.InstanceId;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** A real gRPC client. */
class OtlpGrpcServerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final RecordedMeasurements recorded = new RecordedMeasurements();

    private final OtlpReceiver intake = recorded.intake(InstantSource.fixed(NOW), "127.0.0.1:8080");

    private final OtlpGrpcServer source = OtlpGrpcServer
            .start(new OtlpProperties("127.0.0.1", 0, true, DataSize.ofKilobytes(64), ListenerTls.NONE), intake);

    private final ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", source.port()).usePlaintext()
            .build();

    private final MetricsServiceBlockingStub client = MetricsServiceGrpc.newBlockingStub(channel);

    @AfterEach
    void stop() {
        channel.shutdownNow();
        source.close();
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.DEAD);
    }

    @Test
    void takes_messages_with_gzip_and_knows_the_sender_by_its_address() {
        ExportMetricsServiceResponse answer = client.withCompression("gzip")
                .export(Messages.from(Messages.resource("service.name", "shop"),
                        Messages.gauge("orders", 3, NOW)));

        assertThat(answer).isEqualTo(ExportMetricsServiceResponse.getDefaultInstance());
        assertThat(recorded.value("orders")).isEqualTo(3);
        assertThat(recorded.all().getFirst().instanceId()).isEqualTo(new InstanceId("shop", "127.0.0.1:8080"));
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.WORKING);
    }

    @Test
    void says_how_many_points_were_refused_and_names_the_sender_in_its_condition() {
        ExportMetricsServiceResponse answer = client.export(Messages.from(Messages.resource("service.name", "cart"),
                Messages.gauge("orders", 3, NOW)));

        assertThat(answer.getPartialSuccess().getRejectedDataPoints()).isEqualTo(1);
        assertThat(answer.getPartialSuccess().getErrorMessage())
                .isEqualTo("1 points of an unknown instance");
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.IMPAIRED);
        assertThat(String.valueOf(source.health().details().get("reason"))).contains("cart at 127.0.0.1",
                "redliner.instance");
    }

    @Test
    void what_was_said_and_is_not_measured_is_named_in_its_condition() {
        client.export(Messages.of(Messages.gauge("cpu", 57, NOW),
                Messages.gauge("orders", Double.NaN, NOW)));

        assertThat(recorded.all()).isEmpty();
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.IMPAIRED);
        assertThat(source.health().details()).containsEntry("dropped.not_finite", 1L)
                .containsEntry("dropped.reserved_name", 1L);
        assertThat(String.valueOf(source.health().details().get("reason"))).contains("shop", "not_finite",
                "reserved_name, such as [cpu]");
    }

    @Test
    void a_gigantic_message_is_refused_also_when_it_is_small_on_the_wire() {
        Metric.Builder zeros = Metric.newBuilder().setName("zeros").setDescription("0".repeat(10_000_000));

        assertThatThrownBy(() -> client.export(Messages.of(zeros.build()))).isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("RESOURCE_EXHAUSTED");
        assertThatThrownBy(() -> client.withCompression("gzip").export(Messages.of(zeros.build())))
                .isInstanceOf(StatusRuntimeException.class);

        await().until(() -> intake.metrics().brokenMessages() == 2);
        assertThat(String.valueOf(source.health().details().get("reason"))).contains("RESOURCE_EXHAUSTED");
        client.export(Messages.of(Messages.gauge("orders", 3, NOW)));
        assertThat(recorded.value("orders")).isEqualTo(3);
    }

    @Test
    void what_is_no_otlp_is_refused_and_counted() {
        var method = MetricsServiceGrpc.getExportMethod().toBuilder(new Bytes(), new Bytes()).build();

        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(channel, method,
                CallOptions.DEFAULT, new byte[]{(byte) 0xff, 1, 2, 3}))
                .isInstanceOf(StatusRuntimeException.class);

        await().until(() -> intake.metrics().brokenMessages() == 1);
        client.export(Messages.of(Messages.gauge("orders", 3, NOW)));
        assertThat(recorded.value("orders")).isEqualTo(3);
    }

    @Test
    void a_port_in_use_is_reported_with_the_setting() {
        assertThatThrownBy(() -> OtlpGrpcServer.start(
                new OtlpProperties("127.0.0.1", source.port(), true, DataSize.ofMegabytes(1), ListenerTls.NONE), intake)
                .close())
                .isInstanceOf(ListenerPortInUseException.class)
                .hasMessageContaining("free the port or set redliner.collector.otlp.port");
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            return new byte[0];
        }
    }
}

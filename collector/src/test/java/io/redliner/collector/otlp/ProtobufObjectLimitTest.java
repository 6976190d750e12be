// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.UnknownFieldSet;
import com.sun.management.ThreadMXBean;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.redliner.collector.StartsSpring;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.Test;

@StartsSpring
class ProtobufObjectLimitTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void a_large_message_of_a_real_service_is_read() throws Exception {
        NumberDataPoint.Builder point = Messages.number(1, NOW);
        for (int number = 0; number < 5; number++) {
            point.addAttributes(Messages.attribute("http.request.method" + number, "GET"));
        }

        assertThat(ProtobufObjectLimit.tooMany(points(20_000, point.build()).toByteArray())).isFalse();
    }

    @Test
    void a_million_empty_points_are_refused_without_memory() throws Exception {
        byte[] message = points(1_000_000, NumberDataPoint.getDefaultInstance()).toByteArray();
        ProtobufObjectLimit.tooMany(message);
        var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();

        assertThat(ProtobufObjectLimit.tooMany(message)).isTrue();

        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }

    @Test
    void what_is_unknown_or_nested_endlessly_is_refused_too() throws Exception {
        UnknownFieldSet.Field.Builder zeros = UnknownFieldSet.Field.newBuilder();
        for (int number = 0; number <= ProtobufObjectLimit.MAX_OBJECTS; number++) {
            zeros.addVarint(0);
        }
        AnyValue value = AnyValue.getDefaultInstance();
        for (int depth = 0; depth < 20; depth++) {
            value = AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder().addValues(value)).build();
        }
        Metric nested = Messages.gauge("a", Messages.number(1, NOW)
                .addAttributes(KeyValue.newBuilder().setKey("a").setValue(value)));

        assertThat(ProtobufObjectLimit.tooMany(ExportMetricsServiceRequest.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder().addField(99, zeros.build()).build()).build()
                .toByteArray())).isTrue();
        assertThat(ProtobufObjectLimit.tooMany(Messages.of(nested).toByteArray())).isTrue();
    }

    @Test
    void the_sender_gets_the_reason_over_grpc_and_over_http() throws Exception {
        ExportMetricsServiceRequest flood = points(1_000_000, NumberDataPoint.getDefaultInstance());
        try (OtlpCollector collector = new OtlpCollector("--redliner.collector.otlp.max-message=4MB");
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(collector.http()).header("Content-Type", "application/x-protobuf")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(flood.toByteArray())).build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).contains("more than 250000 points");
            var channel = NettyChannelBuilder.forTarget(collector.grpc().replace("http://", "")).usePlaintext().build();
            try {
                assertThatThrownBy(() -> MetricsServiceGrpc.newBlockingStub(channel).export(flood))
                        .isInstanceOf(StatusRuntimeException.class);
                await().until(() -> collector.intake().problems().toString().contains("more than 250000 points"));
                await().until(() -> collector.intake().metrics().brokenMessages() == 2);
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static ExportMetricsServiceRequest points(int number, NumberDataPoint point) {
        return Messages.of(Metric.newBuilder().setName("a")
                .setGauge(Gauge.newBuilder().addAllDataPoints(Collections.nCopies(number, point))).build());
    }
}

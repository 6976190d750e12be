// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;

/** Whatever a message says, it is accepted or rejected point by point, and what comes out is sane and bounded. */
@PropertyDefaults(tries = 300)
class OtlpReceiverFuzzTest {

    private static final double[] DOUBLES = {0, -0.0, 1, -1, 1e-9, 1e308, -1e308, Double.MIN_VALUE, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};

    private static final long[] LONGS = {0, 1, 2, 3, 10, -1, Long.MAX_VALUE, Long.MIN_VALUE,
        1_772_366_400_000_000_000L, 1_772_366_401_000_000_000L, 1_772_366_402_000_000_000L};

    private static final int[] INTS = {0, 1, 2, 3, -1, 20, -10, 21, -11, Integer.MAX_VALUE, Integer.MIN_VALUE};

    private static final String[] TEXTS = {"", "a", "b", "service.name", "redliner.instance", "10.0.0.1:80", "ms", "1",
        "{thread}", "jvm.gc.duration", "http.server.requests", "\u0000\uFFFF", "ä".repeat(600), "a_total", "_",
        "jvm.memory.used"};

    @Property
    void any_message_is_survived(@ForAll Random random) {
        RecordedMeasurements recorded = new RecordedMeasurements();
        OtlpReceiver intake = recorded.intake(() -> Instant.parse("2026-03-01T12:00:00Z"), "10.0.0.1:80");
        for (int number = 0; number < 4; number++) {
            ExportMetricsServiceRequest.Builder message = ExportMetricsServiceRequest.newBuilder();
            fill(message, random, 0);
            if (random.nextInt(4) > 0) {
                message.getResourceMetricsBuilderList().forEach(metrics -> metrics.getResourceBuilder()
                        .addAttributes(0, Messages.attribute("service.name", "shop"))
                        .addAttributes(0, Messages.attribute("redliner.instance", "10.0.0.1:80")));
            }
            check(intake.take(message.build(), Optional.empty()), intake, recorded);
        }
    }

    @Property
    void any_damage_to_a_message_is_survived(@ForAll Random random) {
        RecordedMeasurements recorded = new RecordedMeasurements();
        OtlpReceiver intake = recorded.intake(() -> Instant.parse("2026-03-01T12:00:00Z"), "10.0.0.1:80");
        ExportMetricsServiceRequest.Builder message = ExportMetricsServiceRequest.newBuilder();
        fill(message, random, 0);
        byte[] bytes = message.build().toByteArray();
        for (int damage = 0; bytes.length > 0 && damage < 3; damage++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        try {
            check(intake.take(ExportMetricsServiceRequest.parseFrom(bytes), Optional.empty()), intake, recorded);
        } catch (InvalidProtocolBufferException e) {
            assertThat(e).isNotNull();
        }
    }

    private static void check(ExportMetricsServiceResponse answer, OtlpReceiver intake, RecordedMeasurements recorded) {
        OtlpMetrics metrics = intake.metrics();
        long refused = 0;
        for (PointRejectionReason refusal : PointRejectionReason.values()) {
            refused += metrics.refused(refusal);
        }
        assertThat(metrics.received()).isEqualTo(metrics.handedOn() + metrics.withoutValue() + refused);
        assertThat(answer.getPartialSuccess().getRejectedDataPoints()).isLessThanOrEqualTo(refused);
        assertThat((long) recorded.all().size()).isLessThanOrEqualTo(30 * metrics.handedOn());
        assertThat(recorded.all()).allSatisfy(measured -> {
            assertThat(measured.value()).isFinite();
            assertThat(measured.name().length()).isLessThan(1_200);
        });
        assertThat(intake.problems().toString().length()).isLessThan(3_000);
    }

    /** Sets some of the fields to some of the values that hurt. */
    private static void fill(Message.Builder message, Random random, int depth) {
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.isRepeated()) {
                int count = random.nextInt(4);
                for (int number = 0; number < count; number++) {
                    value(message, field, random, depth).ifPresent(value -> message.addRepeatedField(field, value));
                }
            } else if (random.nextInt(4) > 0) {
                value(message, field, random, depth).ifPresent(value -> message.setField(field, value));
            }
        }
    }

    private static Optional<Object> value(Message.Builder message, FieldDescriptor field, Random random, int depth) {
        return switch (field.getJavaType()) {
            case DOUBLE -> Optional.of(DOUBLES[random.nextInt(DOUBLES.length)]);
            case LONG -> Optional.of(LONGS[random.nextInt(LONGS.length)]);
            case INT -> Optional.of(INTS[random.nextInt(INTS.length)]);
            case STRING -> Optional.of(TEXTS[random.nextInt(TEXTS.length)]);
            case BOOLEAN -> Optional.of(random.nextBoolean());
            case BYTE_STRING -> Optional.of(ByteString.copyFromUtf8("x"));
            case ENUM -> Optional.of(field.getEnumType().getValues()
                    .get(random.nextInt(field.getEnumType().getValues().size())));
            case MESSAGE -> {
                if (depth > 8) {
                    yield Optional.empty();
                }
                Message.Builder part = message.newBuilderForField(field);
                fill(part, random, depth + 1);
                yield Optional.of(part.build());
            }
            case FLOAT -> Optional.empty();
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OtlpReceiverTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private static final InstanceId SHOP = new InstanceId("shop", "10.0.0.1:8080");

    private final RecordedMeasurements recorded = new RecordedMeasurements();

    private Instant now = START;

    private final OtlpReceiver intake = recorded.intake(() -> now, "10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.2:8081",
            "[::1]:9090", "shop-7.internal:8080");

    @Test
    void gauges_and_sums_that_may_fall_are_levels() {
        push(Messages.gauge("orders.waiting", 7, now),
                Messages.sum("queue.size", false, AGGREGATION_TEMPORALITY_CUMULATIVE, 9, now));

        assertThat(recorded.value("orders_waiting")).isEqualTo(7);
        assertThat(recorded.value("queue_size")).isEqualTo(9);
        assertThat(recorded.all()).extracting(GaugeMeasurement::instanceId).containsOnly(SHOP);
        assertThat(recorded.all()).extracting(GaugeMeasurement::to).containsOnly(START);
    }

    @Test
    void cumulative_and_delta_sums_are_the_same_rate() {
        push(Messages.sum("orders.cumulative", true, AGGREGATION_TEMPORALITY_CUMULATIVE, 100, now),
                Messages.sum("orders.delta", true, AGGREGATION_TEMPORALITY_DELTA, 100, now));
        now = START.plusSeconds(10);
        push(Messages.sum("orders.cumulative", true, AGGREGATION_TEMPORALITY_CUMULATIVE, 150, now),
                Messages.sum("orders.delta", true, AGGREGATION_TEMPORALITY_DELTA, 50, now));

        assertThat(recorded.value("orders_cumulative.rate")).isEqualTo(5);
        assertThat(recorded.value("orders_delta.rate")).isEqualTo(5);
    }

    @Test
    void histograms_are_quantiles_in_the_base_unit() {
        push(Messages.histogram("call", AGGREGATION_TEMPORALITY_CUMULATIVE, buckets(0, 0, 0, 0)));
        now = START.plusSeconds(10);
        push(Messages.histogram("call", AGGREGATION_TEMPORALITY_CUMULATIVE, buckets(50, 50, 0, 20_000)));

        assertThat(recorded.value("call_seconds.rate")).isEqualTo(10);
        assertThat(recorded.value("call_seconds.mean")).isCloseTo(0.2, within(1e-9));
        assertThat(recorded.value("call_seconds.p50")).isCloseTo(0.1, within(1e-9));
        assertThat(recorded.value("call_seconds.p90")).isCloseTo(0.42, within(1e-9));
    }

    @Test
    void the_largest_value_that_micrometer_tells_beside_a_timer_is_named_as_in_prometheus() {
        push(Messages.histogram("call", AGGREGATION_TEMPORALITY_CUMULATIVE, buckets(0, 0, 0, 0)),
                Messages.gauge("call.max", 250, now).toBuilder().setUnit("ms").build(),
                Messages.gauge("jvm.heap.max", 1e6, now).toBuilder().setUnit("By").build());

        assertThat(recorded.names()).containsExactly("call_seconds_max", "jvm_heap_max_bytes");
        assertThat(recorded.value("call_seconds_max")).isEqualTo(0.25);
    }

    @Test
    void exponential_histograms_and_summaries_are_quantiles_too() {
        Metric summary = Metric.newBuilder().setName("answer").setUnit("s").setSummary(Summary.newBuilder()
                .addDataPoints(SummaryDataPoint.newBuilder().setTimeUnixNano(Messages.nanos(now)).setCount(0))).build();
        push(Messages.exponential("call", AGGREGATION_TEMPORALITY_DELTA, exponential(3)), summary);
        now = START.plusSeconds(10);
        push(Messages.exponential("call", AGGREGATION_TEMPORALITY_DELTA, exponential(3)),
                Metric.newBuilder().setName("answer").setUnit("s").setSummary(Summary.newBuilder()
                        .addDataPoints(SummaryDataPoint.newBuilder().setTimeUnixNano(Messages.nanos(now)).setCount(20)
                                .setSum(10).addQuantileValues(SummaryDataPoint.ValueAtQuantile.newBuilder()
                                        .setQuantile(0.99).setValue(2))))
                        .build());

        assertThat(recorded.value("call_seconds.p50")).isBetween(1.0, Math.pow(2, 0.125));
        assertThat(recorded.value("answer_seconds.rate")).isEqualTo(2);
        assertThat(recorded.value("answer_seconds.mean")).isEqualTo(0.5);
    }

    @Test
    void a_point_that_says_it_has_no_value_is_skipped() {
        ExportMetricsServiceResponse answer = push(Messages.gauge("orders", Messages.number(7, now)
                .setFlags(DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE)));

        assertThat(recorded.all()).isEmpty();
        assertThat(answer).isEqualTo(ExportMetricsServiceResponse.getDefaultInstance());
        assertThat(intake.metrics().withoutValue()).isEqualTo(1);
    }

    @Test
    void what_contradicts_itself_is_refused_and_the_rest_is_taken() {
        ExportMetricsServiceResponse answer = push(Messages.gauge("good", 1, now),
                Messages.histogram("unordered", AGGREGATION_TEMPORALITY_DELTA, buckets(1, 1, 1, 1)
                        .clearExplicitBounds().addAllExplicitBounds(List.of(5.0, 3.0))),
                Messages.histogram("wrong.count", AGGREGATION_TEMPORALITY_DELTA, buckets(1, 1, 1, 1).setCount(17)),
                Messages.histogram("lost.bucket", AGGREGATION_TEMPORALITY_DELTA, buckets(1, 1, 1, 1)
                        .clearBucketCounts().addAllBucketCounts(List.of(1L, 2L))),
                Messages.histogram("endless", AGGREGATION_TEMPORALITY_DELTA, buckets(1, 1, 1, 1).clearExplicitBounds()
                        .addAllExplicitBounds(List.of(Double.NaN, Double.POSITIVE_INFINITY))),
                Messages.exponential("scale", AGGREGATION_TEMPORALITY_DELTA, exponential(21)),
                Messages.exponential("scale", AGGREGATION_TEMPORALITY_DELTA, exponential(-11)),
                Messages.histogram("temporality", AGGREGATION_TEMPORALITY_UNSPECIFIED, buckets(1, 1, 1, 1)),
                Messages.sum("falls", false, AGGREGATION_TEMPORALITY_DELTA, 1, now),
                Messages.gauge("nothing", NumberDataPoint.newBuilder()), Messages.gauge("", 1, now),
                Messages.gauge("time", Messages.number(1, now).setTimeUnixNano(-1)));

        assertThat(recorded.names()).containsExactly("good");
        assertThat(answer.getPartialSuccess().getRejectedDataPoints()).isEqualTo(11);
        assertThat(answer.getPartialSuccess().getErrorMessage()).contains("6 points with impossible buckets",
                "2 points whose temporality is of no use", "1 points without a name");
        assertThat(intake.problems().get(SHOP.toString())).contains("impossible buckets");
        assertThat(intake.metrics().received()).isEqualTo(12);
    }

    @Test
    void a_count_that_was_read_a_moment_before_its_buckets_is_taken() {
        for (long more : new long[]{0, 100}) {
            now = now.plusSeconds(10);
            push(Messages.histogram("call", AGGREGATION_TEMPORALITY_CUMULATIVE,
                    buckets(1_000 + more, 0, 0, 9_000).setCount(997 + more)));
        }

        assertThat(recorded.value("call_seconds.rate")).isEqualTo(10);
        assertThat(intake.problems()).isEmpty();
    }

    @Test
    void scales_at_both_ends_are_read() {
        push(Messages.exponential("fine", AGGREGATION_TEMPORALITY_DELTA, exponential(20)),
                Messages.exponential("coarse", AGGREGATION_TEMPORALITY_DELTA, exponential(-10)));
        now = START.plusSeconds(10);
        push(Messages.exponential("fine", AGGREGATION_TEMPORALITY_DELTA, exponential(20)),
                Messages.exponential("coarse", AGGREGATION_TEMPORALITY_DELTA, exponential(-10)));

        assertThat(recorded.value("fine_seconds.p50")).isCloseTo(1, within(0.01));
        assertThat(recorded.value("coarse_seconds.rate")).isEqualTo(1);
        assertThat(recorded.all()).allSatisfy(measured -> assertThat(measured.value()).isFinite());
    }

    @Test
    void what_is_not_a_finite_number_is_never_measured() {
        push(Messages.gauge("nan", Double.NaN, now), Messages.gauge("inf", Double.NEGATIVE_INFINITY, now),
                Messages.gauge("good", 1, now));

        assertThat(recorded.names()).containsExactly("good");
    }

    @Test
    void too_many_or_too_deep_attributes_are_refused() {
        NumberDataPoint.Builder many = Messages.number(1, now);
        for (int number = 0; number < 10_000; number++) {
            many.addAttributes(Messages.attribute("key" + number, "value"));
        }
        AnyValue list = AnyValue.newBuilder()
                .setArrayValue(ArrayValue.newBuilder().addValues(AnyValue.newBuilder().setIntValue(4))
                        .addValues(AnyValue.newBuilder().setBoolValue(true)))
                .build();
        AnyValue deep = AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder().addValues(list)).build();

        push(Messages.gauge("many", many),
                Messages.gauge("deep",
                        Messages.number(1, now).addAttributes(KeyValue.newBuilder().setKey("a").setValue(deep))),
                Messages.gauge("flat",
                        Messages.number(1, now).addAttributes(KeyValue.newBuilder().setKey("a").setValue(list))));

        assertThat(recorded.names()).containsExactly("flat{a=\"4,true\"}");
        assertThat(intake.metrics().refused(PointRejectionReason.ATTRIBUTES)).isEqualTo(2);
    }

    @Test
    void a_hundred_thousand_label_values_stay_within_bounds() {
        staysWithinBounds(10);
    }

    @Test
    @Tag("soak")
    void a_million_label_values_stay_within_bounds() {
        staysWithinBounds(100);
    }

    private void staysWithinBounds(int messages) {
        for (int message = 0; message < messages; message++) {
            ExportMetricsServiceRequest.Builder flood = ExportMetricsServiceRequest.newBuilder();
            Metric.Builder metric = Metric.newBuilder().setName("flood");
            for (int number = 0; number < 10_000; number++) {
                metric.getGaugeBuilder().addDataPoints(Messages.number(1, now)
                        .addAttributes(Messages.attribute("user", "u" + message + "-" + number)));
            }
            intake.take(flood.mergeFrom(Messages.of(metric.build())).build(), Optional.empty());
        }
        push(Messages.gauge("jvm.cpu.recent_utilization", 0.5, now));

        assertThat(recorded.names()).hasSizeLessThanOrEqualTo(501).contains("cpu");
        assertThat(intake.tooMany()).containsOnlyKeys(SHOP);
        assertThat(intake.metrics().received()).isEqualTo(messages * 10_000L + 1);
    }

    @Test
    void the_instance_is_found_by_attributes_or_by_its_address() throws UnknownHostException {
        assertThat(who("10.9.9.9", "service.name", "shop", "redliner.instance", "10.0.0.7:80", "service.instance.id",
                "10.0.0.8:80")).hasValue("10.0.0.7:80");
        assertThat(who("10.9.9.9", "service.name", "shop", "service.instance.id", "[::1]:80")).hasValue("[::1]:80");
        assertThat(who("10.9.9.9", "service.name", "shop", "service.instance.id", "[0:0:0:0:0:0:0:2]:80"))
                .hasValue("[::2]:80");
        assertThat(who("10.0.0.1", "service.name", "shop", "service.instance.id",
                "0191a1c5-6bd2-7c1f-9c9f-3c0a52f4a9b1")).hasValue("10.0.0.1:8080");
        assertThat(who("::1", "service.name", "shop")).hasValue("[::1]:9090");
    }

    @Test
    void a_sender_without_a_known_instance_is_rejected_and_named() throws UnknownHostException {
        assertThat(who("10.0.0.2", "service.name", "shop")).isEmpty();
        assertThat(who("10.0.0.1", "service.name", "cart")).isEmpty();
        assertThat(who("10.0.0.1", "redliner.instance", "10.0.0.1:8080")).isEmpty();

        assertThat(recorded.all()).isEmpty();
        assertThat(intake.metrics().refused(PointRejectionReason.UNKNOWN_INSTANCE)).isEqualTo(3);
        assertThat(intake.problems()).containsOnlyKeys("shop at 10.0.0.2", "cart at 10.0.0.1",
                "someone without service.name at 10.0.0.1");
        now = START.plusSeconds(400);
        assertThat(intake.problems()).isEmpty();
    }

    @Test
    void a_clock_that_is_an_hour_off_is_named() {
        push(Messages.gauge("orders", 1, START.minus(Duration.ofHours(1))));

        assertThat(intake.problems()).containsEntry(SHOP.toString(),
                "its clock is -3600 s off; not all of it is measured: "
                        + "values of 3600 s ago are not used, the oldest that are used are of 300 s ago");
    }

    @Test
    void a_clock_that_is_ahead_is_measured_and_named_until_it_is_set_right() {
        push(Messages.gauge("orders", 1, START.plusSeconds(30)));
        assertThat(recorded.all("metrics.offset")).singleElement().satisfies(offset -> {
            assertThat(offset.value()).isEqualTo(30);
            assertThat(offset.to()).isEqualTo(START);
        });
        assertThat(intake.problems()).containsEntry(SHOP.toString(), "its clock is 30 s off");

        now = START.plusSeconds(10);
        push(Messages.gauge("orders", 2, now));
        assertThat(recorded.all("metrics.offset")).hasSize(1);
        assertThat(recorded.all("orders")).last().satisfies(orders -> assertThat(orders.value()).isEqualTo(2));
        assertThat(intake.problems()).isEmpty();
    }

    @Test
    void a_clock_that_is_behind_further_than_values_are_used_is_measured() {
        push(Messages.gauge("orders", 1, START.minusSeconds(400)));
        push(Messages.gauge("orders", 2, START.minusSeconds(100)));

        assertThat(recorded.all("metrics.offset")).singleElement()
                .satisfies(offset -> assertThat(offset.value()).isEqualTo(-400));
    }

    @Test
    void values_hold_until_the_next_message_should_have_come() {
        for (int second = 0; second <= 20; second += 10) {
            now = START.plusSeconds(second);
            push(Messages.gauge("orders", 1, now));
            push(Messages.gauge("users", 1, now));
        }

        assertThat(recorded.all("orders").getFirst().hold()).isEqualTo(Duration.ofSeconds(90));
        assertThat(recorded.all("orders").getLast().hold()).isEqualTo(Duration.ofSeconds(15));
        assertThat(recorded.all("users").getLast().hold()).isEqualTo(Duration.ofSeconds(15));
    }

    private ExportMetricsServiceResponse push(Metric... metrics) {
        return intake.take(Messages.of(metrics), Optional.empty());
    }

    private Optional<String> who(String from, String... attributes) throws UnknownHostException {
        int before = recorded.all().size();
        intake.take(Messages.from(Messages.resource(attributes), Messages.gauge("orders", 1, now)),
                Optional.of(InetAddress.getByName(from)));
        return recorded.all().stream().skip(before).map(measured -> measured.instanceId().instance()).findFirst();
    }

    /** Bounds at 100 and 500 ms. */
    private HistogramDataPoint.Builder buckets(long low, long middle, long high, double sumMillis) {
        return HistogramDataPoint.newBuilder().setTimeUnixNano(Messages.nanos(now)).setCount(low + middle + high)
                .setSum(sumMillis).addAllExplicitBounds(List.of(100.0, 500.0))
                .addAllBucketCounts(List.of(low, middle, high));
    }

    /** Ten values just above 1. */
    private ExponentialHistogramDataPoint.Builder exponential(int scale) {
        return ExponentialHistogramDataPoint.newBuilder().setTimeUnixNano(Messages.nanos(now)).setCount(10).setSum(10)
                .setScale(scale)
                .setPositive(ExponentialHistogramDataPoint.Buckets.newBuilder().setOffset(0).addBucketCounts(10));
    }
}

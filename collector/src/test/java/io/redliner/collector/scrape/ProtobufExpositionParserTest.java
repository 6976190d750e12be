// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Timestamp;
import com.sun.management.ThreadMXBean;
import io.prometheus.client.Metrics.Bucket;
import io.prometheus.client.Metrics.BucketSpan;
import io.prometheus.client.Metrics.Counter;
import io.prometheus.client.Metrics.Gauge;
import io.prometheus.client.Metrics.Histogram;
import io.prometheus.client.Metrics.LabelPair;
import io.prometheus.client.Metrics.Metric;
import io.prometheus.client.Metrics.MetricFamily;
import io.prometheus.client.Metrics.MetricType;
import io.prometheus.client.Metrics.Quantile;
import io.prometheus.client.Metrics.Summary;
import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.metrics.BucketHistogram;
import io.redliner.collector.metrics.Labels;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricSeries;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProtobufExpositionParserTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void counters_gauges_and_summaries_are_read() throws Exception {
        List<MetricPoint> points = read(1_000, family("orders_total", MetricType.COUNTER, Metric.newBuilder()
                .addLabel(LabelPair.newBuilder().setName("kind").setValue("x"))
                .setCounter(Counter.newBuilder().setValue(5)
                        .setCreatedTimestamp(Timestamp.newBuilder().setSeconds(1_000)))),
                family("depth", MetricType.GAUGE,
                        Metric.newBuilder().setTimestampMs(7).setGauge(Gauge.newBuilder().setValue(-1.5))),
                family("rpc_seconds", MetricType.SUMMARY, Metric.newBuilder().setSummary(Summary.newBuilder()
                        .setSampleCount(10).setSampleSum(2)
                        .addQuantile(Quantile.newBuilder().setQuantile(0.5).setValue(0.1)))))
                .points();

        assertThat(points).containsExactly(
                new MetricPoint.Total(MetricSeries.counter("orders", "", Labels.of(Map.of("kind", "x"))),
                        Instant.ofEpochSecond(1_000), NOW, 5),
                new MetricPoint.Level(MetricSeries.named("depth", "", Labels.NONE), Instant.ofEpochMilli(7), -1.5),
                new MetricPoint.Summary(MetricSeries.named("rpc_seconds", "", Labels.NONE), null, NOW, 10, 2,
                        new TreeMap<>(Map.of(0.5, 0.1))));
    }

    @Test
    void classic_buckets_are_read() throws Exception {
        BucketHistogram distribution = histogram(Histogram.newBuilder().setSampleCount(10).setSampleSum(4)
                .addBucket(Bucket.newBuilder().setUpperBound(0.1).setCumulativeCount(5))
                .addBucket(Bucket.newBuilder().setUpperBound(1).setCumulativeCount(9))
                .addBucket(Bucket.newBuilder().setUpperBound(Double.POSITIVE_INFINITY).setCumulativeCount(10)));

        assertThat(distribution.count()).isEqualTo(10);
        assertThat(distribution.quantile(0.5)).isCloseTo(0.1, within(1e-9));
        assertThat(distribution.quantile(0.9)).isCloseTo(1, within(1e-9));
    }

    /** With schema 0, bucket i is of values above 2^(i-1), up to 2^i. */
    @Test
    void native_buckets_are_read() throws Exception {
        BucketHistogram distribution = histogram(
                Histogram.newBuilder().setSampleCount(110).setSampleSum(500).setSchema(0)
                        .setZeroThreshold(1e-9).setZeroCount(10)
                        .addPositiveSpan(BucketSpan.newBuilder().setOffset(1).setLength(2))
                        .addPositiveSpan(BucketSpan.newBuilder().setOffset(1).setLength(1))
                        .addPositiveDelta(50).addPositiveDelta(-20).addPositiveDelta(-10));

        assertThat(distribution.count()).isEqualTo(110);
        assertThat(distribution.quantile(60.0 / 110)).isCloseTo(2, within(1e-9));
        assertThat(distribution.quantile(90.0 / 110)).isCloseTo(4, within(1e-9));
        assertThat(distribution.quantile(1)).isCloseTo(16, within(1e-9));
        assertThat(distribution.minLargest()).isEqualTo(8);
    }

    @Test
    void native_buckets_that_make_no_sense_are_passed_on_as_such() throws Exception {
        for (Histogram.Builder histogram : List.of(
                Histogram.newBuilder().setSchema(1)
                        .addPositiveSpan(BucketSpan.newBuilder().setOffset(0).setLength(5)).addPositiveDelta(1),
                Histogram.newBuilder().setSchema(1)
                        .addPositiveSpan(BucketSpan.newBuilder().setOffset(0).setLength(-1)).addPositiveDelta(1),
                Histogram.newBuilder().setSchema(1).addPositiveSpan(
                        BucketSpan.newBuilder().setOffset(Integer.MIN_VALUE).setLength(1)).addPositiveDelta(1),
                Histogram.newBuilder().setSchema(1)
                        .addPositiveSpan(BucketSpan.newBuilder().setOffset(0).setLength(2)).addPositiveDelta(1)
                        .addPositiveDelta(1).addPositiveCount(1),
                Histogram.newBuilder().setSchema(1)
                        .addPositiveSpan(BucketSpan.newBuilder().setOffset(0).setLength(1)).addPositiveDelta(-1))) {
            assertThat(histogram(histogram).isSane()).isFalse();
        }
    }

    @Test
    void an_answer_that_was_cut_off_says_nothing() throws Exception {
        byte[] whole = bytes(family("depth", MetricType.GAUGE,
                Metric.newBuilder().setGauge(Gauge.newBuilder().setValue(1))));

        assertThatThrownBy(() -> ProtobufExpositionParser.read(Arrays.copyOf(whole, whole.length - 1), NOW,
                new ScrapeResult(10))).isInstanceOf(RequestFailedException.class).hasMessageContaining("cut off");
    }

    @Test
    void what_is_beyond_the_bound_is_left_out() throws Exception {
        Metric.Builder metric = Metric.newBuilder().setGauge(Gauge.newBuilder().setValue(1));

        assertThat(read(2, family("a", MetricType.GAUGE, metric), family("b", MetricType.GAUGE, metric),
                family("c", MetricType.GAUGE, metric)).cut()).isEqualTo(1);
    }

    @Test
    void millions_of_empty_metrics_take_no_memory() throws Exception {
        byte[] body = endless(16 << 20);
        ScrapeResult result = new ScrapeResult(1_000);
        var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();

        ProtobufExpositionParser.read(body, NOW, result);

        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(8 << 20);
        assertThat(result.points()).hasSize(1_000);
        assertThat(result.cut()).isGreaterThan(8_000_000);
    }

    @Test
    void a_metric_that_is_gigantic_by_itself_is_refused() {
        Metric.Builder large = Metric.newBuilder()
                .addLabel(LabelPair.newBuilder().setName("a").setValue("x".repeat(300_000)));
        Metric.Builder many = Metric.newBuilder();
        IntStream.range(0, 101).forEach(number -> many.addLabelBuilder().setName("a" + number).setValue("x"));

        assertThatThrownBy(() -> read(10, family("a", MetricType.GAUGE, large)))
                .isInstanceOf(RequestFailedException.class).hasMessageContaining("larger than 262144 bytes");
        assertThatThrownBy(() -> read(10, family("a", MetricType.GAUGE, many)))
                .isInstanceOf(RequestFailedException.class).hasMessageContaining("more than 100 labels");
    }

    @Test
    void the_type_may_come_after_the_metrics() throws Exception {
        MetricFamily parts = MetricFamily.newBuilder()
                .addMetric(Metric.newBuilder().setGauge(Gauge.newBuilder().setValue(5))).build();
        MetricFamily head = MetricFamily.newBuilder().setName("a").setType(MetricType.GAUGE).build();
        ByteArrayOutputStream turned = new ByteArrayOutputStream();
        turned.write(parts.getSerializedSize() + head.getSerializedSize());
        parts.writeTo(turned);
        head.writeTo(turned);
        ScrapeResult result = new ScrapeResult(10);

        ProtobufExpositionParser.read(turned.toByteArray(), NOW, result);

        assertThat(result.points())
                .containsExactly(new MetricPoint.Level(MetricSeries.named("a", "", Labels.NONE), NOW, 5));
    }

    /** A family of metrics without anything in them. */
    private static byte[] endless(int size) throws IOException {
        ByteArrayOutputStream family = new ByteArrayOutputStream();
        MetricFamily.newBuilder().setName("a").setType(MetricType.GAUGE).build().writeTo(family);
        byte[] empty = {0x22, 0};
        while (family.size() < size) {
            family.write(empty);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        CodedOutputStream length = CodedOutputStream.newInstance(body);
        length.writeUInt32NoTag(family.size());
        length.flush();
        family.writeTo(body);
        return body.toByteArray();
    }

    private static BucketHistogram histogram(Histogram.Builder histogram) throws Exception {
        MetricPoint point = read(10,
                family("t_seconds", MetricType.HISTOGRAM, Metric.newBuilder().setHistogram(histogram)))
                .points().getFirst();
        return ((MetricPoint.Histogram) point).distribution();
    }

    private static MetricFamily family(String name, MetricType type, Metric.Builder metric) {
        return MetricFamily.newBuilder().setName(name).setType(type).addMetric(metric).build();
    }

    private static ScrapeResult read(int maxSamples, MetricFamily... families) throws Exception {
        byte[] bytes = bytes(families);
        ScrapeResult result = new ScrapeResult(maxSamples);
        ProtobufExpositionParser.read(bytes, NOW, result);
        return result;
    }

    private static byte[] bytes(MetricFamily... families) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (MetricFamily family : families) {
            family.writeDelimitedTo(bytes);
        }
        return bytes.toByteArray();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.prometheus.client.Metrics.BucketSpan;
import io.prometheus.client.Metrics.Counter;
import io.prometheus.client.Metrics.Histogram;
import io.prometheus.client.Metrics.Metric;
import io.prometheus.client.Metrics.MetricFamily;
import io.prometheus.client.Metrics.MetricType;
import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** Whatever comes, it is read within bounds or refused as it is declared, and makes no measurement that is no number. */
@PropertyDefaults(tries = 300)
class ExpositionFormatFuzzTest {

    private static final InstanceId SUBJECT = new InstanceId("shop", "10.0.0.1:8080");

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final int MAX_SAMPLES = 50;

    private static final byte[] PROTOBUF = protobuf();

    @Property
    void any_bytes(@ForAll byte[] bytes) {
        fuzz(bytes);
    }

    @Property
    void nearly_right_text(@ForAll("mutations") byte[] bytes) {
        fuzz(bytes);
    }

    @Property
    void nearly_right_protobuf(@ForAll long seed, @ForAll @IntRange(min = 0, max = 10) int mutations) {
        fuzz(mutated(PROTOBUF, seed, mutations));
    }

    @Property
    void lines_of_the_right_pieces(@ForAll("pieces") String text) {
        fuzz(text.getBytes(StandardCharsets.UTF_8));
    }

    @Example
    @Tag("soak")
    void the_largest_answers_take_no_longer_than_they_may() {
        for (String line : List.of("a 1\n", "a{b=\"c\"} 1\n", "\n", "#\n", "# TYPE a histogram\n", "a{", "\\",
                "# TYPE a summary\na{quantile=\"0.5\"} 1\n", "aaaaaaaaaaaaaaaa", "a{b=\"\\\\", "9")) {
            byte[] bytes = line.repeat((16 << 20) / line.length()).getBytes(StandardCharsets.UTF_8);
            assertTimeout(Duration.ofSeconds(10), () -> fuzz(bytes), line);
        }
    }

    @Provide
    Arbitrary<byte[]> mutations() {
        return Combinators
                .combine(Arbitraries.of(TextExpositionParserTest.PROMETHEUS, TextExpositionParserTest.OPEN_METRICS),
                        Arbitraries.longs(), Arbitraries.integers().between(1, 20))
                .as((text, seed, mutations) -> mutated(text.getBytes(StandardCharsets.UTF_8), seed, mutations));
    }

    @Provide
    Arbitrary<String> pieces() {
        return Arbitraries
                .of("a", "a_total", "a_bucket", "a_sum", "a_count", "a_created", "a_info", "{", "}", "le=\"1\"",
                        "le=\"+Inf\"", "le=\"NaN\"", "quantile=\"0.5\"", "b=\"c\"", ",", " ", "\n", "\n", "\n", "1",
                        "0", "-1",
                        "NaN", "+Inf", "1e308", "-1e308", "9223372036854775807", "# TYPE a histogram\n",
                        "# TYPE a counter\n",
                        "# TYPE a summary\n", "# TYPE a gauge\n", "# TYPE a stateset\n", "# UNIT a ms\n", "# EOF\n",
                        "\"", "\\")
                .list().ofMinSize(1).ofMaxSize(80).map(list -> String.join("", list));
    }

    private static byte[] mutated(byte[] right, long seed, int mutations) {
        Random random = new Random(seed);
        byte[] bytes = right.clone();
        for (int mutation = 0; mutation < mutations; mutation++) {
            bytes[random.nextInt(bytes.length)] = random.nextBoolean()
                    ? (byte) random.nextInt(256)
                    : bytes[random.nextInt(bytes.length)];
        }
        return bytes;
    }

    private static byte[] protobuf() {
        Histogram histogram = Histogram.newBuilder().setSampleCount(110).setSampleSum(500).setSchema(3)
                .setZeroThreshold(1e-9).setZeroCount(10)
                .addPositiveSpan(BucketSpan.newBuilder().setOffset(1).setLength(2))
                .addPositiveSpan(BucketSpan.newBuilder().setOffset(1).setLength(1)).addPositiveDelta(50)
                .addPositiveDelta(-20).addPositiveDelta(-10)
                .addNegativeSpan(BucketSpan.newBuilder().setOffset(-3).setLength(1)).addNegativeDelta(7).build();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            MetricFamily.newBuilder().setName("t_seconds").setType(MetricType.HISTOGRAM)
                    .addMetric(Metric.newBuilder().setHistogram(histogram)).build().writeDelimitedTo(bytes);
            MetricFamily.newBuilder().setName("orders_total").setType(MetricType.COUNTER)
                    .addMetric(Metric.newBuilder().setTimestampMs(5).setCounter(Counter.newBuilder().setValue(7)))
                    .build().writeDelimitedTo(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void fuzz(byte[] bytes) {
        fuzz(result -> TextExpositionParser.read(bytes, false, NOW, result));
        fuzz(result -> TextExpositionParser.read(bytes, true, NOW, result));
        fuzz(result -> ProtobufExpositionParser.read(bytes, NOW, result));
    }

    private static void fuzz(Reader reader) {
        ScrapeResult result = new ScrapeResult(MAX_SAMPLES);
        try {
            reader.read(result);
        } catch (RequestFailedException e) {
            assertThat(e).hasMessageMatching("(?s)(line \\d+|the answer) .*");
        }
        assertThat(result.points()).hasSizeLessThanOrEqualTo(MAX_SAMPLES);
        MetricTranslator translator = new MetricTranslator("fuzz",
                new CustomGaugeSettings(List.of("*"), MAX_SAMPLES, 10, Duration.ofMinutes(5)),
                new SimpleMeterRegistry());
        for (Instant now : List.of(NOW, NOW.plusSeconds(10))) {
            List<GaugeMeasurement> measured = translator.translate(SUBJECT, at(result.points(), now), now,
                    Duration.ZERO);
            assertThat(measured).allMatch(measurement -> Double.isFinite(measurement.value()));
        }
        assertThat(translator.series()).isLessThanOrEqualTo(2L * MAX_SAMPLES);
    }

    /** The same again, ten seconds later. */
    private static List<MetricPoint> at(List<MetricPoint> points, Instant now) {
        return points.stream().<MetricPoint>map(point -> switch (point) {
            case MetricPoint.Level it -> new MetricPoint.Level(it.series(), now, it.value());
            case MetricPoint.Total it -> new MetricPoint.Total(it.series(), it.start(), now, it.value());
            case MetricPoint.Increment it -> new MetricPoint.Increment(it.series(), it.start(), now, it.value());
            case MetricPoint.Histogram it ->
                new MetricPoint.Histogram(it.series(), it.start(), now, it.delta(), it.distribution(), it.max());
            case MetricPoint.Summary it ->
                new MetricPoint.Summary(it.series(), it.start(), now, it.count(), it.sum(), it.quantiles());
        }).toList();
    }

    private interface Reader {

        void read(ScrapeResult result) throws RequestFailedException;
    }
}

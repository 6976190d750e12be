// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.metrics.Labels;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricSeries;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextExpositionParserTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** The example of Prometheus' page on its exposition formats. */
    static final String PROMETHEUS = """
            # HELP http_requests_total The total number of HTTP requests.
            # TYPE http_requests_total counter
            http_requests_total{method="post",code="200"} 1027 1395066363000
            http_requests_total{method="post",code="400"}    3 1395066363000

            # Escaping in label values:
            msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9

            # Minimalistic line:
            metric_without_timestamp_and_labels 12.47

            # A weird metric from before the epoch:
            something_weird{problem="division by zero"} +Inf -3982045

            # A histogram, which has a pretty complex representation in the text format:
            # HELP http_request_duration_seconds A histogram of the request duration.
            # TYPE http_request_duration_seconds histogram
            http_request_duration_seconds_bucket{le="0.05"} 24054
            http_request_duration_seconds_bucket{le="0.1"} 33444
            http_request_duration_seconds_bucket{le="0.2"} 100392
            http_request_duration_seconds_bucket{le="0.5"} 129389
            http_request_duration_seconds_bucket{le="1"} 133988
            http_request_duration_seconds_bucket{le="+Inf"} 144320
            http_request_duration_seconds_sum 53423
            http_request_duration_seconds_count 144320

            # Finally a summary, which has a complex representation, too:
            # HELP rpc_duration_seconds A summary of the RPC duration in seconds.
            # TYPE rpc_duration_seconds summary
            rpc_duration_seconds{quantile="0.01"} 3102
            rpc_duration_seconds{quantile="0.05"} 3272
            rpc_duration_seconds{quantile="0.5"} 4773
            rpc_duration_seconds{quantile="0.9"} 9001
            rpc_duration_seconds{quantile="0.99"} 76656
            rpc_duration_seconds_sum 1.7560473e+07
            rpc_duration_seconds_count 2693
            """;

    /** After the examples of the OpenMetrics 1.0 specification. */
    static final String OPEN_METRICS = """
            # TYPE acme_http_router_request_seconds summary
            # UNIT acme_http_router_request_seconds seconds
            # HELP acme_http_router_request_seconds Latency though all of ACME's HTTP request router.
            acme_http_router_request_seconds_sum{path="/api/v1",method="GET"} 9036.32
            acme_http_router_request_seconds_count{path="/api/v1",method="GET"} 807283.0
            acme_http_router_request_seconds_created{path="/api/v1",method="GET"} 1605281325.0
            # TYPE go_goroutines gauge
            go_goroutines 69
            # TYPE process_cpu_seconds counter
            # UNIT process_cpu_seconds seconds
            process_cpu_seconds_total 4.20072246e+06
            # TYPE foo histogram
            foo_bucket{le="0.01"} 0
            foo_bucket{le="0.1"} 8 # {} 0.054
            foo_bucket{le="1"} 11 # {trace_id="KOO5S4vxi0o"} 0.67
            foo_bucket{le="+Inf"} 17 # {trace_id="oHg5SJYRHA0"} 9.8 1520879607.789
            foo_count 17
            foo_sum 324789.3
            foo_created 1520430000.123
            # TYPE build info
            build_info{version="1.2"} 1
            # TYPE feature stateset
            feature{feature="a"} 1
            feature{feature="bb"} 0
            # TYPE hist gaugehistogram
            hist_bucket{le="+Inf"} 5
            hist_gcount 5
            hist_gsum 3
            # EOF
            """;

    @Test
    void the_example_of_prometheus_is_read() throws Exception {
        List<MetricPoint> points = prometheus(PROMETHEUS);

        assertThat(points).hasSize(7);
        assertThat(points.getFirst()).isEqualTo(new MetricPoint.Total(
                MetricSeries.counter("http_requests_total", "", Labels.of(Map.of("code", "200", "method", "post"))),
                null,
                Instant.ofEpochMilli(1_395_066_363_000L), 1027));
        assertThat(points.get(2).series().labels().get("path")).isEqualTo("C:\\DIR\\FILE.TXT");
        assertThat(points.get(2).series().labels().get("error")).isEqualTo("Cannot find file:\n\"FILE.TXT\"");
        assertThat(points.get(3)).isEqualTo(new MetricPoint.Level(
                MetricSeries.named("metric_without_timestamp_and_labels", "", Labels.NONE), NOW, 12.47));
        assertThat(points.get(4).time()).isEqualTo(Instant.ofEpochMilli(-3_982_045));
        assertThat(points.get(5)).isInstanceOfSatisfying(MetricPoint.Histogram.class, histogram -> {
            assertThat(histogram.distribution().count()).isEqualTo(144_320);
            assertThat(histogram.distribution().sum()).isEqualTo(53_423);
            assertThat(histogram.distribution().quantile(0.5)).isCloseTo(0.157832, within(1e-5));
        });
        assertThat(points.get(6)).isInstanceOfSatisfying(MetricPoint.Summary.class, summary -> {
            assertThat(summary.count()).isEqualTo(2_693);
            assertThat(summary.sum()).isEqualTo(1.7560473e7);
            assertThat(summary.quantiles()).hasSize(5).containsEntry(0.99, 76_656.0);
        });
    }

    @Test
    void open_metrics_are_read() throws Exception {
        ScrapeResult result = read(OPEN_METRICS, true, 1_000);

        assertThat(result.points()).extracting(point -> point.series().toString()).containsExactly(
                "acme_http_router_request_seconds{method=\"GET\",path=\"/api/v1\"}", "go_goroutines",
                "process_cpu_seconds", "foo", "feature{feature=\"a\"}", "feature{feature=\"bb\"}");
        assertThat(result.points().getFirst()).isInstanceOfSatisfying(MetricPoint.Summary.class,
                summary -> assertThat(summary.start()).isEqualTo(Instant.ofEpochSecond(1_605_281_325)));
        assertThat(result.points().get(3)).isInstanceOfSatisfying(MetricPoint.Histogram.class, histogram -> {
            assertThat(histogram.distribution().count()).isEqualTo(17);
            assertThat(histogram.start()).isEqualTo(Instant.ofEpochMilli(1_520_430_000_123L));
        });
        assertThat(result.ignored()).isEqualTo(4);
    }

    @Test
    void open_metrics_that_were_cut_off_say_nothing() {
        assertThatThrownBy(() -> read("# TYPE a gauge\na 1\n", true, 10)).isInstanceOf(RequestFailedException.class)
                .hasMessageContaining("cut off").hasMessageContaining("# EOF");
    }

    @Test
    void times_are_milliseconds_in_one_format_and_seconds_in_the_other() throws Exception {
        assertThat(read("a 1 1500\n", false, 10).points().getFirst().time()).isEqualTo(Instant.ofEpochMilli(1_500));
        assertThat(read("a 1 1.5\n# EOF\n", true, 10).points().getFirst().time())
                .isEqualTo(Instant.ofEpochMilli(1_500));
    }

    @Test
    void lines_may_end_in_the_manner_of_other_systems_and_have_blanks() throws Exception {
        assertThat(prometheus("  # TYPE a counter\r\na { b = \"c\" , } \t 1 \r\n\r\nd 2"))
                .containsExactly(
                        new MetricPoint.Total(MetricSeries.counter("a", "", Labels.of(Map.of("b", "c"))), null, NOW, 1),
                        new MetricPoint.Level(MetricSeries.named("d", "", Labels.NONE), NOW, 2));
    }

    @Test
    void a_mistake_is_reported_with_its_line() {
        for (String mistake : List.of("a", "a b", "a{b=\"c\" 1", "a{b=c} 1", "a{b=\"c} 1", "1a 1", "a 1 2 3", "a 1d",
                "a 0x1", "a{b=\"c\"d=\"e\"} 1", "a{b=\"c\",b=\"d\"} 1", "{} 1", "a 1 NaN", "<html>",
                "a " + "9".repeat(99),
                "a{x=\"" + "y".repeat(70_000) + "\"} 1")) {
            assertThatThrownBy(() -> prometheus("ok 1\n" + mistake + "\n")).as(mistake)
                    .isInstanceOf(RequestFailedException.class).hasMessageStartingWith("line 2 ");
        }
    }

    @Test
    void a_bucket_without_a_bound_is_a_mistake() {
        assertThatThrownBy(() -> prometheus("# TYPE a histogram\na_bucket{x=\"1\"} 5\n"))
                .isInstanceOf(RequestFailedException.class).hasMessage("line 2 has no label le");
    }

    @Test
    void a_count_that_was_read_a_moment_before_its_buckets_is_taken() throws Exception {
        MetricPoint point = prometheus(
                "# TYPE a histogram\na_bucket{le=\"1\"} 1000\na_bucket{le=\"+Inf\"} 998\na_count 998\n")
                .getFirst();

        assertThat(((MetricPoint.Histogram) point).distribution().isSane()).isTrue();
    }

    @Test
    void a_histogram_that_makes_no_sense_is_passed_on_as_such() throws Exception {
        for (String histogram : List.of("a_bucket{le=\"NaN\"} 5\na_count 5", "a_bucket{le=\"1\"} 5\na_sum 5",
                "a_bucket{le=\"1\"} 5\na_bucket{le=\"2\"} 3\na_count 5")) {
            assertThat(prometheus("# TYPE a histogram\n" + histogram + "\n")).singleElement().isInstanceOfSatisfying(
                    MetricPoint.Histogram.class, point -> assertThat(point.distribution().isSane()).isFalse());
        }
    }

    @Test
    void what_is_beyond_the_bound_is_left_out_and_no_histogram_is_read_by_half() throws Exception {
        ScrapeResult result = read("b 1\n" + PROMETHEUS.substring(PROMETHEUS.indexOf("# TYPE http_request_duration")),
                false,
                5);

        assertThat(result.points()).extracting(point -> point.series().family()).containsExactly("b");
        assertThat(result.samples()).isEqualTo(1);
        assertThat(result.cut()).isEqualTo(15);
    }

    @Test
    void infos_and_creation_times_are_no_measurements() throws Exception {
        ScrapeResult result = read(
                "# TYPE jvm_info gauge\njvm_info{v=\"21\"} 1\n# TYPE a_created gauge\na_created 5\n",
                false,
                10);

        assertThat(result.points()).isEmpty();
        assertThat(result.ignored()).isEqualTo(2);
    }

    private static List<MetricPoint> prometheus(String text) throws RequestFailedException {
        return read(text, false, 1_000).points();
    }

    private static ScrapeResult read(String text, boolean openMetrics, int maxSamples) throws RequestFailedException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ScrapeResult result = new ScrapeResult(maxSamples);
        TextExpositionParser.read(bytes, openMetrics, NOW, result);
        return result;
    }
}

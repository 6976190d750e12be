// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import io.prometheus.client.Metrics.Bucket;
import io.prometheus.client.Metrics.Counter;
import io.prometheus.client.Metrics.Gauge;
import io.prometheus.client.Metrics.Histogram;
import io.prometheus.client.Metrics.LabelPair;
import io.prometheus.client.Metrics.Metric;
import io.prometheus.client.Metrics.MetricFamily;
import io.prometheus.client.Metrics.MetricType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The same two hundred series, some as a Spring Boot service has them, in each of the formats. */
enum ExpositionFormat {

    TEXT("text/plain; version=0.0.4"), OPEN_METRICS("application/openmetrics-text; version=1.0.0"), PROTOBUF(
            "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited");

    /** Lines of text that are no comments. */
    static final int SERIES = 200;

    private static final int COUNTERS = 40;

    private static final int GAUGES = 66;

    private static final int BUCKETS = 40;

    private static final List<String> STATES = List.of("new", "runnable", "blocked", "waiting", "timed-waiting",
            "terminated");

    private static final List<String> URIS = List.of("/orders/{id}", "/users/{id}");

    private final String contentType;

    ExpositionFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /** With counters that grow from look to look. */
    byte[] body(long look) throws IOException {
        return switch (this) {
            case TEXT -> text(look, "_total").append('\n').toString().getBytes(StandardCharsets.UTF_8);
            case OPEN_METRICS -> text(look, "").append("# EOF\n").toString().getBytes(StandardCharsets.UTF_8);
            case PROTOBUF -> protobuf(look);
        };
    }

    private static StringBuilder text(long look, String counterEnd) {
        var text = new StringBuilder();
        text.append("# HELP process_cpu_usage The recent cpu usage\n# TYPE process_cpu_usage gauge\n")
                .append("process_cpu_usage 0.24731\n# TYPE process_uptime_seconds gauge\nprocess_uptime_seconds ")
                .append(10 * look).append("\n# TYPE hikaricp_connections_active gauge\n")
                .append("hikaricp_connections_active{pool=\"HikariPool-1\"} 7\n# TYPE hikaricp_connections_max gauge\n")
                .append("hikaricp_connections_max{pool=\"HikariPool-1\"} 10\n# TYPE jvm_threads_states_threads gauge\n");
        STATES.forEach(state -> text.append("jvm_threads_states_threads{state=\"").append(state).append("\"} 4\n"));
        text.append("# TYPE http_server_requests_seconds histogram\n");
        URIS.forEach(uri -> histogram(text, "{error=\"none\",exception=\"none\",method=\"GET\",outcome=\"SUCCESS\","
                + "status=\"200\",uri=\"" + uri + "\"", look));
        text.append("# HELP orders Of each kind\n# TYPE orders").append(counterEnd).append(" counter\n");
        for (int counter = 0; counter < COUNTERS; counter++) {
            text.append("orders_total{kind=\"kind-").append(counter).append("\",region=\"north\"} ")
                    .append(look * (counter + 1)).append(".0\n");
        }
        text.append("# TYPE queue_depth gauge\n");
        for (int gauge = 0; gauge < GAUGES; gauge++) {
            text.append("queue_depth{queue=\"queue-").append(gauge).append("\"} ").append(gauge).append(".5\n");
        }
        return text;
    }

    private static void histogram(StringBuilder text, String labels, long look) {
        for (int bucket = 1; bucket <= BUCKETS; bucket++) {
            text.append("http_server_requests_seconds_bucket").append(labels).append(",le=\"");
            if (bucket == BUCKETS) {
                text.append("+Inf");
            } else {
                text.append(bound(bucket));
            }
            text.append("\"} ").append(look * bucket).append('\n');
        }
        text.append("http_server_requests_seconds_count").append(labels).append("} ").append(look * BUCKETS)
                .append("\nhttp_server_requests_seconds_sum").append(labels).append("} ").append(0.0123 * look)
                .append('\n');
    }

    private static double bound(int bucket) {
        return bucket * bucket * 0.001;
    }

    private static byte[] protobuf(long look) throws IOException {
        var bytes = new ByteArrayOutputStream();
        gauge("process_cpu_usage").addMetric(gauge(0.24731)).build().writeDelimitedTo(bytes);
        gauge("process_uptime_seconds").addMetric(gauge(10.0 * look)).build().writeDelimitedTo(bytes);
        gauge("hikaricp_connections_active").addMetric(gauge(7, "pool", "HikariPool-1")).build()
                .writeDelimitedTo(bytes);
        gauge("hikaricp_connections_max").addMetric(gauge(10, "pool", "HikariPool-1")).build().writeDelimitedTo(bytes);
        var threads = gauge("jvm_threads_states_threads");
        STATES.forEach(state -> threads.addMetric(gauge(4, "state", state)));
        threads.build().writeDelimitedTo(bytes);
        var requests = MetricFamily.newBuilder().setName("http_server_requests_seconds").setType(MetricType.HISTOGRAM);
        URIS.forEach(uri -> requests.addMetric(histogram(look, uri)));
        requests.build().writeDelimitedTo(bytes);
        var orders = MetricFamily.newBuilder().setName("orders_total").setType(MetricType.COUNTER);
        for (int counter = 0; counter < COUNTERS; counter++) {
            orders.addMetric(Metric.newBuilder().addLabel(label("kind", "kind-" + counter))
                    .addLabel(label("region", "north"))
                    .setCounter(Counter.newBuilder().setValue((double) look * (counter + 1))));
        }
        orders.build().writeDelimitedTo(bytes);
        var depths = gauge("queue_depth");
        for (int queue = 0; queue < GAUGES; queue++) {
            depths.addMetric(gauge(queue + 0.5, "queue", "queue-" + queue));
        }
        depths.build().writeDelimitedTo(bytes);
        return bytes.toByteArray();
    }

    private static Metric histogram(long look, String uri) {
        var histogram = Histogram.newBuilder().setSampleCount(look * BUCKETS).setSampleSum(0.0123 * look);
        for (int bucket = 1; bucket < BUCKETS; bucket++) {
            histogram.addBucket(Bucket.newBuilder().setUpperBound(bound(bucket)).setCumulativeCount(look * bucket));
        }
        return Metric.newBuilder().addLabel(label("error", "none")).addLabel(label("exception", "none"))
                .addLabel(label("method", "GET")).addLabel(label("outcome", "SUCCESS"))
                .addLabel(label("status", "200")).addLabel(label("uri", uri)).setHistogram(histogram).build();
    }

    private static MetricFamily.Builder gauge(String name) {
        return MetricFamily.newBuilder().setName(name).setType(MetricType.GAUGE);
    }

    private static Metric gauge(double value, String... label) {
        var metric = Metric.newBuilder().setGauge(Gauge.newBuilder().setValue(value));
        if (label.length > 1) {
            metric.addLabel(label(label[0], label[1]));
        }
        return metric.build();
    }

    private static LabelPair label(String name, String value) {
        return LabelPair.newBuilder().setName(name).setValue(value).build();
    }
}

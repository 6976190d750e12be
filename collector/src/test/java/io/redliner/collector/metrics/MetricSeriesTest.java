// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricSeriesTest {

    @Test
    void a_metric_has_the_same_name_from_prometheus_and_from_opentelemetry() {
        assertThat(MetricSeries.named("http.server.requests", "milliseconds", Labels.NONE).family())
                .isEqualTo(MetricSeries.named("http_server_requests_seconds", "", Labels.NONE).family())
                .isEqualTo(MetricSeries.named("http.server.requests", "s", Labels.NONE).family())
                .isEqualTo("http_server_requests_seconds");
        assertThat(MetricSeries.counter("orders.placed", "{order}", Labels.NONE))
                .isEqualTo(MetricSeries.counter("orders_placed_total", "", Labels.NONE));
        assertThat(MetricSeries.named("jvm.cpu.recent_utilization", "1", Labels.NONE))
                .isEqualTo(MetricSeries.named("jvm_cpu_recent_utilization_ratio", "", Labels.NONE));
        assertThat(MetricSeries.named("jvm.memory.used", "By", Labels.NONE))
                .isEqualTo(MetricSeries.named("jvm_memory_used_bytes", "", Labels.NONE));
        assertThat(MetricSeries.named("jvm.threads.states", "threads", Labels.NONE))
                .isEqualTo(MetricSeries.named("jvm_threads_states_threads", "", Labels.NONE));
        assertThat(MetricSeries.counter("process.cpu.time", "ns", Labels.NONE))
                .isEqualTo(MetricSeries.counter("process_cpu_time_ns_total", "ns", Labels.NONE));
    }

    @Test
    void values_in_milliseconds_are_made_seconds() {
        assertThat(MetricSeries.named("jvm.gc.pause", "ms", Labels.NONE).factor()).isEqualTo(0.001);
        assertThat(MetricSeries.named("jvm_gc_pause_milliseconds", "", Labels.NONE))
                .isEqualTo(new MetricSeries("jvm_gc_pause_seconds", Labels.NONE, 0.001));
    }

    @Test
    void two_letters_are_a_unit_only_when_one_was_given() {
        for (String name : List.of("orders_us", "clients_ms", "lookups_ns")) {
            assertThat(MetricSeries.counter(name + "_total", "", Labels.NONE))
                    .isEqualTo(new MetricSeries(name, Labels.NONE, 1));
        }
        assertThat(MetricSeries.named("wait_us", "us", Labels.NONE))
                .isEqualTo(new MetricSeries("wait_seconds", Labels.NONE, 1e-6));
    }

    @Test
    void the_order_and_the_spelling_of_labels_do_not_matter() {
        Labels dotted = Labels.of(List.of("http.method", "GET", "a", "1", "empty", ""));
        Labels flat = Labels.of(Map.of("a", "1", "http_method", "GET"));

        assertThat(dotted).isEqualTo(flat).hasSameHashCodeAs(flat).hasToString("{a=\"1\",http_method=\"GET\"}");
        assertThat(dotted.get("http_method")).isEqualTo("GET");
        assertThat(dotted.get("none")).isEmpty();
    }

    @Test
    void a_label_value_cannot_look_like_the_end_of_the_labels() {
        assertThat(Labels.of(Map.of("a", "x\",b=\"\n\\"))).hasToString("{a=\"x\\\",b=\\\"\\n\\\\\"}");
    }

    @Test
    void labels_that_become_one_are_joined() {
        assertThat(Labels.of(List.of("a.b", "1", "a_b", "2"))).hasToString("{a_b=\"1;2\"}");
    }
}

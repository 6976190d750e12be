// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.metrics.MetricTranslationMetrics.PointDropReason;
import io.redliner.collector.windowing.GaugeMeasurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class KnownSeriesTest {

    private final Look look = new Look();

    @Test
    void the_cpu_is_the_same_from_micrometer_and_from_opentelemetry() {
        assertThat(look.at(look.level("process_cpu_usage", Map.of(), 0.25))).containsExactly(entry("cpu", 0.25));
        assertThat(new Look().at(look.level("jvm.cpu.recent_utilization", Map.of(), 0.25)))
                .containsExactly(entry("cpu", 0.25));
    }

    @Test
    void the_better_of_two_is_taken() {
        for (int time = 0; time < 2; time++) {
            assertThat(look.at(look.level("jvm.cpu.recent_utilization", Map.of(), 0.75),
                    look.level("process_cpu_usage", Map.of(), 0.25))).containsExactly(entry("cpu", 0.25));
        }
    }

    @Test
    void what_says_nothing_stands_in_the_way_of_nothing() {
        for (double nothing : new double[]{Double.NaN, -1}) {
            assertThat(look.at(look.level("process_cpu_usage", Map.of(), nothing),
                    look.level("jvm.cpu.recent_utilization", Map.of(), 0.75))).containsExactly(entry("cpu", 0.75));
        }
        assertThat(look.translator().metrics().dropped(PointDropReason.NOT_FINITE)).isEqualTo(1);
        assertThat(look.translator().metrics().dropped(PointDropReason.NOT_KNOWN)).isEqualTo(1);
    }

    @Test
    void another_version_of_a_service_may_tell_it_otherwise() {
        look.at(look.level("process_cpu_usage", Map.of(), 0.25));
        for (int time = 0; time < 30; time++) {
            look.at(look.level("jvm.cpu.recent_utilization", Map.of(), 0.75));
        }

        assertThat(look.at(look.level("jvm.cpu.recent_utilization", Map.of(), 0.75)))
                .containsExactly(entry("cpu", 0.75));
    }

    @Test
    void what_is_reported_in_several_ways_is_counted_once() {
        Map<String, Double> measured = Map.of();
        for (int time = 1; time <= 2; time++) {
            measured = look.at(timer("Copy", time, time),
                    look.timer("jvm.gc.duration.seconds",
                            Map.of("jvm.gc.name", "Copy", "jvm.gc.action", "end of minor GC"),
                            time, time),
                    look.timer("jvm_gc_collection_seconds", Map.of("gc", "Copy"), time, time),
                    thread("true", "blocked", 3),
                    look.level("jvm_threads_state", Map.of("state", "BLOCKED"), 3),
                    look.level("jvm_threads_states_threads", Map.of("state", "blocked"), 3),
                    look.level("hikaricp_connections_pending", Map.of("pool", "db"), 4),
                    look.level("hikaricp_connections_active", Map.of("pool", "db"), 9),
                    look.level("hikaricp_connections_max", Map.of("pool", "db"), 10),
                    look.level("jdbc_connections_max", Map.of("name", "db"), 10),
                    look.level("db.client.connections.pending_requests", Map.of("pool.name", "db"), 4));
        }

        assertThat(measured).containsEntry("gc.rate", 0.1).containsEntry("gc.time", 0.1).containsEntry("gc.pause", 1.0)
                .containsEntry("threads.blocked", 3.0).containsEntry("pool.busy", 0.9)
                .containsEntry("pool.waiting", 4.0);
    }

    @Test
    void a_byte_that_passes_several_interfaces_is_counted_once() {
        Map<String, Double> measured = Map.of();
        for (int time = 1; time <= 2; time++) {
            measured = look.at(List.of("eth0", "bond0", "eth0.100", "veth12ab", "docker0", "br-7f", "cni0", "lo")
                    .stream().map(sent(1_000 * time)).toArray(MetricPoint[]::new));
        }

        assertThat(measured).containsEntry("net.tx", 100.0).containsEntry("net.tx[eth0]", 100.0)
                .doesNotContainKeys("net.tx[bond0]", "net.tx[veth12ab]");
    }

    @Test
    void the_heap_is_what_its_pools_use_by_what_they_may_use() {
        assertThat(look.at(memory("used", "G1 Eden Space", 100), memory("used", "G1 Old Gen", 300),
                memory("max", "G1 Eden Space", -1), memory("max", "G1 Old Gen", 1_000),
                look.level("jvm_memory_used_bytes", Map.of("area", "nonheap", "id", "Metaspace"), 77)))
                .containsOnly(entry("memory[heap]", 0.4),
                        entry("jvm_memory_used_bytes{area=\"nonheap\",id=\"Metaspace\"}", 77.0));
    }

    @Test
    void of_one_collection_the_pause_is_exact() {
        gc("G1 Young Generation", 10, 1);

        Map<String, Double> measured = gc("G1 Young Generation", 11, 1.25);

        assertThat(measured).containsEntry("gc.pause", 0.25).containsEntry("gc.pause[G1 Young Generation]", 0.25)
                .containsEntry("gc.rate", 0.1);
        assertThat(measured.get("gc.time")).isCloseTo(0.025, within(1e-9));
    }

    @Test
    void a_pause_is_of_the_time_between_two_looks_and_not_held_longer() {
        gc("G1 Young Generation", 10, 1);

        assertThat(look.translate(timer("G1 Young Generation", 11, 2))).filteredOn(it -> it.name().equals("gc.pause"))
                .singleElement().extracting(GaugeMeasurement::hold).isEqualTo(Duration.ZERO);
        assertThat(gc("G1 Young Generation", 11, 2)).containsEntry("gc.pause", 0.0).containsEntry("gc.rate", 0.0);
    }

    @Test
    void of_several_collections_the_longest_is_measured_when_it_is_new() {
        Map<String, String> labels = Map.of("gc", "Copy");
        look.at(timer("Copy", 10, 1), look.level("jvm_gc_pause_seconds_max", labels, 0.1));

        assertThat(look.at(timer("Copy", 14, 2), look.level("jvm_gc_pause_seconds_max", labels, 0.7)))
                .containsEntry("gc.pause", 0.7);
        assertThat(look.at(timer("Copy", 18, 2.4), look.level("jvm_gc_pause_seconds_max", labels, 0.7))
                .get("gc.pause")).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void the_first_collection_ever_is_not_lost() {
        look.at(look.level("process_cpu_usage", Map.of(), 0.25));

        assertThat(gc("MarkSweepCompact", 1, 0.5)).containsEntry("gc.pause", 0.5).containsEntry("gc.time", 0.05);
    }

    @Test
    void collections_from_before_the_first_look_are_not_counted() {
        assertThat(gc("MarkSweepCompact", 1_000, 500)).isEmpty();
    }

    @Test
    void blocked_threads_are_counted_however_they_are_reported() {
        assertThat(look.at(look.level("jvm_threads_states_threads", Map.of("state", "blocked"), 3)))
                .containsExactly(entry("threads.blocked", 3.0));
        assertThat(new Look().at(look.level("jvm_threads_state", Map.of("state", "BLOCKED"), 3)))
                .containsExactly(entry("threads.blocked", 3.0));
        assertThat(new Look().at(thread("true", "blocked", 1), thread("false", "blocked", 2),
                thread("false", "runnable", 9))).containsExactly(entry("threads.blocked", 3.0));
        assertThat(new Look().at(thread("false", "runnable", 9))).containsExactly(entry("threads.blocked", 0.0));
    }

    @Test
    void pools_are_measured_one_by_one_and_the_fullest_without_a_name() {
        assertThat(look.at(look.level("hikaricp_connections_active", Map.of("pool", "db"), 9),
                look.level("hikaricp_connections_max", Map.of("pool", "db"), 10),
                look.level("hikaricp_connections_pending", Map.of("pool", "db"), 4),
                look.level("tomcat_threads_busy_threads", Map.of("name", "http-nio-8080"), 50),
                look.level("tomcat_threads_config_max_threads", Map.of("name", "http-nio-8080"), 200)))
                .containsOnly(entry("pool.busy", 0.9), entry("pool.busy[db]", 0.9),
                        entry("pool.busy[http-nio-8080]", 0.25), entry("pool.waiting", 4.0),
                        entry("pool.waiting[db]", 4.0));
        assertThat(new Look().at(
                look.level("db.client.connections.usage", Map.of("pool.name", "db", "state", "used"), 9),
                look.level("db.client.connections.max", Map.of("pool.name", "db"), 10)))
                .containsOnly(entry("pool.busy", 0.9), entry("pool.busy[db]", 0.9));
    }

    @Test
    void the_limit_of_a_pool_need_not_be_reported_each_time() {
        look.at(look.level("hikaricp_connections_active", Map.of("pool", "db"), 5),
                look.level("hikaricp_connections_max", Map.of("pool", "db"), 10));

        assertThat(look.at(look.level("hikaricp_connections_active", Map.of("pool", "db"), 7)))
                .containsEntry("pool.busy", 0.7);
    }

    @Test
    void calls_to_other_services_are_measured_by_the_called_service() {
        look.at(call("payments", "GET", 10, 1), call("payments", "POST", 10, 1), call("stock", "GET", 10, 1));

        Map<String, Double> measured = look.at(call("payments", "GET", 20, 2), call("payments", "POST", 40, 10),
                call("stock", "GET", 10, 1));

        assertThat(measured).containsEntry("downstream.latency[payments]", 0.25)
                .containsEntry("downstream.latency", 0.25).doesNotContainKey("downstream.latency[stock]");
    }

    @Test
    void the_uptime_comes_from_the_start_when_it_is_not_reported() {
        assertThat(look.at(look.level("process_start_time_seconds", Map.of(),
                look.now().getEpochSecond() - 100.0))).containsExactly(entry("process.uptime", 100.0));
    }

    @Test
    void network_and_disk_of_a_machine_are_rates() {
        look.at(device("node_network_transmit_bytes", "eth0", 0), device("node_network_transmit_bytes", "lo", 0),
                device("node_disk_io_time_seconds", "sda", 0), device("node_disk_io_time_seconds", "sdb", 0));

        assertThat(look.at(device("node_network_transmit_bytes", "eth0", 1_000),
                device("node_network_transmit_bytes", "lo", 9_000), device("node_disk_io_time_seconds", "sda", 5),
                device("node_disk_io_time_seconds", "sdb", 1))).containsEntry("net.tx", 100.0)
                .containsEntry("disk.busy", 0.5).containsEntry("disk.busy[sdb]", 0.1);
    }

    private MetricPoint memory(String what, String pool, double bytes) {
        return look.level("jvm_memory_" + what + "_bytes", Map.of("area", "heap", "id", pool), bytes);
    }

    private MetricPoint timer(String collector, double count, double sum) {
        return look.timer("jvm_gc_pause_seconds", Map.of("gc", collector, "action", "end of minor GC"), count, sum);
    }

    private Map<String, Double> gc(String collector, double count, double sum) {
        return look.at(timer(collector, count, sum));
    }

    private MetricPoint thread(String daemon, String state, double count) {
        return look.level("jvm.thread.count", Map.of("jvm.thread.daemon", daemon, "jvm.thread.state", state), count);
    }

    private MetricPoint call(String client, String method, double count, double sum) {
        return look.timer("http_client_requests_seconds", Map.of("client_name", client, "method", method), count, sum);
    }

    private Function<String, MetricPoint> sent(double bytes) {
        return device -> device("node_network_transmit_bytes", device, bytes);
    }

    private MetricPoint device(String name, String device, double value) {
        return new MetricPoint.Total(MetricSeries.counter(name + "_total", "", Labels.of(Map.of("device", device))),
                null,
                look.now(), value);
    }
}

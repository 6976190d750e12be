// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.http.HttpCredentials;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.testkit.PrometheusProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/**
 * The presets at a real Prometheus server, which scrapes what node_exporter, cAdvisor, kube-state-metrics and Micrometer show of one
 * machine. Counters grow with the clock.
 */
@Tag("soak")
class RealPrometheusTest {

    private static final InstantSource CLOCK = InstantSource.system();

    private static final Offset<Double> NEAR = Offset.offset(0.05);

    private final HttpServer exporter = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            0);

    private final String address = "127.0.0.1:" + exporter.getAddress().getPort();

    private final InstanceId instance = new InstanceId("shop", address);

    private final Map<String, GaugeMeasurement> measured = new ConcurrentHashMap<>();

    private volatile String metrics = "";

    private volatile double seconds;

    @TempDir
    Path folder;

    private PrometheusProcess server;

    RealPrometheusTest() throws IOException {
        exporter.createContext("/metrics", exchange -> {
            double now = CLOCK.millis() / 1e3;
            seconds = seconds == 0 ? now : seconds;
            // $r is a second of each second that passes.
            byte[] text = metrics.lines().map(line -> counted(line, now - seconds))
                    .reduce("", (all, line) -> all + line + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
    }

    private static String counted(String line, double passed) {
        int at = line.indexOf("$r*");
        return at < 0 ? line : line.substring(0, at) + passed * Double.parseDouble(line.substring(at + 3));
    }

    @BeforeEach
    void start() throws IOException {
        exporter.start();
        server = PrometheusProcess.start(folder, List.of(address));
    }

    @AfterEach
    void stop() {
        server.close();
        exporter.stop(0);
    }

    private ScheduledProbe source(PrometheusPreset preset) {
        PrometheusProperties properties = new PrometheusProperties(server.url(), Duration.ofSeconds(1),
                Duration.ofSeconds(1), Duration.ofSeconds(1), DataSize.ofMegabytes(1), HttpCredentials.NONE,
                List.of(new PrometheusProperties.Preset(preset, "job=\"exporters\"")), List.of());
        return ScheduledProbe.start(
                new PrometheusProbe(properties, now -> Map.of(instance, List.of("node-a")), new SimpleMeterRegistry(),
                        CLOCK),
                properties::interval, some -> some.forEach(it -> measured.put(it.name(), it)), CLOCK);
    }

    private void awaitAll(MetricsOf preset) {
        metrics = preset.text();
        try (ScheduledProbe source = source(preset.preset())) {
            await("the gauges").atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
                assertThat(measured.keySet()).as(source.health().toString())
                        .containsExactlyInAnyOrderElementsOf(preset.values().keySet());
                preset.values()
                        .forEach((gauge, value) -> assertThat(Objects.requireNonNull(measured.get(gauge)).value())
                                .as(gauge)
                                .isCloseTo(value, Math.abs(value) > 100 ? Offset.offset(0.2 * value) : NEAR));
            });
            assertThat(source.health().state()).isEqualTo(SourceHealth.State.WORKING);
            assertThat(measured.values()).allSatisfy(it -> assertThat(it.to()).isBefore(CLOCK.instant())
                    .isAfter(CLOCK.instant().minusSeconds(10)));
            server.close();
            await("a health line").untilAsserted(() -> assertThat(source.health().details().get("reason"))
                    .asString().contains("cannot be reached"));
        }
    }

    private record MetricsOf(PrometheusPreset preset, Map<String, Double> values, String text) {}

    @Test
    void node_exporter() {
        awaitAll(new MetricsOf(PrometheusPreset.NODE_EXPORTER,
                Map.ofEntries(Map.entry("cpu", 0.75), Map.entry("cpu.system", 0.25), Map.entry("cpu.steal", 0.2),
                        Map.entry("memory", 0.6), Map.entry("cpu.stalled", 0.3), Map.entry("memory.stalled", 0.1),
                        Map.entry("io.stalled", 0.05), Map.entry("net.tx", 5e7), Map.entry("net.rx", 1e8),
                        Map.entry("net.link", 0.8), Map.entry("disk.busy", 0.9)),
                """
                        node_uname_info{domainname="(none)",machine="x86_64",nodename="node-a",release="6",sysname="Linux",version="1"} 1
                        node_cpu_seconds_total{cpu="0",mode="idle"} $r*0.2
                        node_cpu_seconds_total{cpu="0",mode="user"} $r*0.4
                        node_cpu_seconds_total{cpu="0",mode="system"} $r*0.2
                        node_cpu_seconds_total{cpu="0",mode="steal"} $r*0.2
                        node_memory_MemAvailable_bytes 4e9
                        node_memory_MemTotal_bytes 1e10
                        node_pressure_cpu_waiting_seconds_total $r*0.3
                        node_pressure_memory_waiting_seconds_total $r*0.1
                        node_pressure_io_waiting_seconds_total $r*0.05
                        node_network_transmit_bytes_total{device="eth0"} $r*50000000
                        node_network_transmit_bytes_total{device="lo"} $r*90000000
                        node_network_receive_bytes_total{device="eth0"} $r*100000000
                        node_network_receive_bytes_total{device="lo"} $r*90000000
                        node_network_speed_bytes{device="eth0"} 1.25e8
                        node_network_speed_bytes{device="docker0"} -1
                        node_disk_io_time_seconds_total{device="sda"} $r*0.9
                        node_disk_io_time_seconds_total{device="dm-0"} $r*1
                        """));
    }

    @Test
    void kubernetes() {
        awaitAll(new MetricsOf(PrometheusPreset.KUBERNETES,
                Map.of("cpu", 0.8, "cpu.quota", 0.8, "cpu.throttled", 0.3, "memory", 0.5, "cpu.stalled", 0.4,
                        "memory.stalled", 0.1),
                """
                        kube_pod_info{namespace="eu",pod="shop-1",pod_ip="127.0.0.1",host_ip="10.0.0.9",node="a",host_network="false"} 1
                        kube_pod_info{namespace="eu",pod="agent",pod_ip="127.0.0.1",host_ip="127.0.0.1",node="a",host_network="true"} 1
                        kube_pod_container_resource_limits{namespace="eu",pod="shop-1",container="app",resource="cpu",unit="core"} 2
                        kube_pod_container_resource_limits{namespace="eu",pod="shop-1",container="app",resource="memory",unit="byte"} 1e9
                        container_cpu_usage_seconds_total{container="app",cpu="total",namespace="eu",pod="shop-1"} $r*1.6
                        container_cpu_usage_seconds_total{container="log",cpu="total",namespace="eu",pod="shop-1"} $r*0.1
                        container_cpu_usage_seconds_total{container="",cpu="total",namespace="eu",pod="shop-1"} $r*1.7
                        container_cpu_usage_seconds_total{container="app",cpu="total",namespace="eu",pod="agent"} $r*0.2
                        container_cpu_cfs_periods_total{container="app",namespace="eu",pod="shop-1"} $r*10
                        container_cpu_cfs_throttled_periods_total{container="app",namespace="eu",pod="shop-1"} $r*3
                        container_memory_working_set_bytes{container="app",namespace="eu",pod="shop-1"} 5e8
                        container_pressure_cpu_waiting_seconds_total{container="app",namespace="eu",pod="shop-1"} $r*0.4
                        container_pressure_memory_waiting_seconds_total{container="app",namespace="eu",pod="shop-1"} $r*0.1
                        """));
    }

    @Test
    void micrometer() {
        awaitAll(new MetricsOf(PrometheusPreset.MICROMETER,
                Map.of("cpu", 0.6, "memory[heap]", 0.3, "gc.time", 0.02, "gc.rate", 2.0, "threads.blocked", 3.0,
                        "pool.busy", 0.9, "pool.waiting", 12.0, "downstream.latency", 0.04, "process.uptime", 90.0),
                """
                        process_cpu_usage{application="shop"} 0.6
                        process_uptime_seconds{application="shop"} 90
                        jvm_memory_used_bytes{application="shop",area="heap",id="G1 Eden Space"} 1e8
                        jvm_memory_used_bytes{application="shop",area="heap",id="G1 Old Gen"} 2e8
                        jvm_memory_used_bytes{application="shop",area="nonheap",id="Metaspace"} 9e8
                        jvm_memory_max_bytes{application="shop",area="heap",id="G1 Eden Space"} -1
                        jvm_memory_max_bytes{application="shop",area="heap",id="G1 Old Gen"} 1e9
                        jvm_gc_pause_seconds_sum{action="end of minor GC",application="shop",cause="a",gc="G1"} $r*0.01
                        jvm_gc_pause_seconds_sum{action="end of minor GC",application="shop",cause="b",gc="G1"} $r*0.01
                        jvm_gc_pause_seconds_count{action="end of minor GC",application="shop",cause="a",gc="G1"} $r*1
                        jvm_gc_pause_seconds_count{action="end of minor GC",application="shop",cause="b",gc="G1"} $r*1
                        jvm_threads_states_threads{application="shop",state="blocked"} 3
                        jvm_threads_states_threads{application="shop",state="runnable"} 30
                        hikaricp_connections_active{application="shop",pool="orders"} 9
                        hikaricp_connections_max{application="shop",pool="orders"} 10
                        hikaricp_connections_pending{application="shop",pool="orders"} 7
                        tomcat_threads_busy_threads{application="shop",name="http-nio-8080"} 20
                        tomcat_threads_config_max_threads{application="shop",name="http-nio-8080"} 200
                        executor_queued_tasks{application="shop",name="workers"} 5
                        http_client_requests_seconds_sum{application="shop",client_name="pay",method="GET",outcome="SUCCESS",status="200",uri="/"} $r*4
                        http_client_requests_seconds_count{application="shop",client_name="pay",method="GET",outcome="SUCCESS",status="200",uri="/"} $r*100
                        """));
    }
}

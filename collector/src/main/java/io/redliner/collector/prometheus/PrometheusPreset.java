// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import java.util.List;

/** Usual exporters, each with the queries that make RedLiner's gauges of its metrics. {@code $m} is the place of matchers; PromQL allows a
 * comma at their end. */
enum PrometheusPreset {

    /** Prometheus' node_exporter. Its instance is the host's address, or {@code node_uname_info} has the machine's name. */
    NODE_EXPORTER,
    /** Pods by cAdvisor in the kubelet and by kube-state-metrics, which has their addresses and limits. */
    KUBERNETES,
    /** A JVM with Micrometer. */
    MICROMETER;

    private static final String MATCHERS = "$m";

    /** Interfaces whose bytes are on no network, or are also counted by the interface below. */
    private static final String UPPER = "device!~\"(lo|veth|docker|br-|cni|virbr|vnet|cali|flannel|vxlan|dummy|ifb|bond"
            + "|team|tun|tap).*|.*[.][0-9]+\",$m";

    private static final String DISKS = "device!~\"(loop|ram|dm-|md|sr|zram|fd).*\",$m";

    private static final String TIMESTAMP = "timestamp(%s)";

    /**
     * Returns the queries.
     *
     * @param matchers what goes into each selector; empty: nothing
     */
    List<PromQuery> queries(String matchers) {
        return switch (this) {
            case NODE_EXPORTER -> nodeExporter(matchers);
            case KUBERNETES -> kubernetes(matchers);
            case MICROMETER -> micrometer(matchers);
        };
    }

    private static List<PromQuery> nodeExporter(String matchers) {
        String stalled = "node_pressure_%s_waiting_seconds_total{$m}";
        String speed = "(node_network_speed_bytes{" + UPPER + "} > 0)";
        String transmitted = "node_network_transmit_bytes_total{" + UPPER + "}";
        String received = "node_network_receive_bytes_total{" + UPPER + "}";
        String available = "node_memory_MemAvailable_bytes{$m}";
        String busy = "node_disk_io_time_seconds_total{" + DISKS + "}";
        return List.of(node(matchers, "cpu", "1 - " + cpu("idle|iowait", "guest|guest_nice|steal"), idle()),
                node(matchers, "cpu.system", cpu("system|irq|softirq", "guest|guest_nice|steal"), idle()),
                node(matchers, "cpu.steal", cpu("steal", "guest|guest_nice"), idle()),
                node(matchers, "memory", "1 - " + available + " / node_memory_MemTotal_bytes{$m}", available),
                node(matchers, "cpu.stalled", irate(stalled.formatted("cpu")), stalled.formatted("cpu")),
                node(matchers, "memory.stalled", irate(stalled.formatted("memory")), stalled.formatted("memory")),
                node(matchers, "io.stalled", irate(stalled.formatted("io")), stalled.formatted("io")),
                node(matchers, "net.tx", "sum without (device) (" + irate(transmitted) + ")", transmitted),
                node(matchers, "net.rx", "sum without (device) (" + irate(received) + ")", received),
                node(matchers, "net.link",
                        "max without (device, direction) (label_replace(" + irate(transmitted) + " / " + speed
                                + ", \"direction\", \"tx\", \"\", \"\") or label_replace(" + irate(received) + " / "
                                + speed + ", \"direction\", \"rx\", \"\", \"\"))",
                        transmitted),
                node(matchers, "disk.busy", "max without (device) (" + irate(busy) + ")", busy));
    }

    /** Returns the part of the CPU time in some modes, of that in all modes but others. */
    private static String cpu(String modes, String but) {
        return "sum without (cpu, mode) (" + irate("node_cpu_seconds_total{mode=~\"" + modes + "\",$m}")
                + ") / sum without (cpu, mode) (" + irate("node_cpu_seconds_total{mode!~\"" + but + "\",$m}") + ")";
    }

    private static String idle() {
        return "node_cpu_seconds_total{mode=\"idle\",$m}";
    }

    /** Returns a query whose series also have the name of the machine. */
    private static PromQuery node(String matchers, String gauge, String query, String series) {
        String named = "(%s) * ignoring (cpu, mode, device, domainname, machine, nodename, release, sysname, version)"
                + " group_left (nodename) node_uname_info{$m}";
        return query(matchers, gauge, named.formatted(query), named.formatted(TIMESTAMP.formatted(series)),
                List.of("instance", "nodename"), true);
    }

    private static List<PromQuery> kubernetes(String matchers) {
        String container = "{container!=\"\",container!=\"POD\",pod!=\"\",$m}";
        String used = "container_cpu_usage_seconds_total" + container;
        String quota = byContainer(irate(used)) + " / " + byContainer(
                "kube_pod_container_resource_limits{resource=\"cpu\",$m}");
        String set = "container_memory_working_set_bytes" + container;
        String throttled = irate("container_cpu_cfs_throttled_periods_total" + container) + " / ("
                + irate("container_cpu_cfs_periods_total" + container) + " > 0)";
        String stalled = "container_pressure_%s_waiting_seconds_total" + container;
        return List.of(pod(matchers, "cpu", quota, used), pod(matchers, "cpu.quota", quota, used),
                pod(matchers, "cpu.throttled", throttled, "container_cpu_cfs_periods_total" + container),
                pod(matchers, "memory", byContainer(set) + " / " + byContainer(
                        "kube_pod_container_resource_limits{resource=\"memory\",$m}"), set),
                pod(matchers, "cpu.stalled", irate(stalled.formatted("cpu")), stalled.formatted("cpu")),
                pod(matchers, "memory.stalled", irate(stalled.formatted("memory")), stalled.formatted("memory")));
    }

    private static String byContainer(String series) {
        return "max by (cluster, namespace, pod, container) (" + series + ")";
    }

    /** Returns a query for the fullest container of each pod, whose series have the pod's address. */
    private static PromQuery pod(String matchers, String gauge, String query, String series) {
        String pod = "%s by (cluster, namespace, pod) (%s) * on (cluster, namespace, pod) group_left (pod_ip) max by"
                + " (cluster, namespace, pod, pod_ip) (kube_pod_info{pod_ip!=\"\",host_network!=\"true\",$m})";
        return query(matchers, gauge, pod.formatted("max", query),
                pod.formatted("min", TIMESTAMP.formatted(series)), List.of("pod_ip"), true);
    }

    private static List<PromQuery> micrometer(String matchers) {
        String used = "jvm_memory_used_bytes{area=\"heap\",$m}";
        String pauses = "jvm_gc_pause_seconds_%s{$m}";
        String paused = "sum without (action, cause, gc) (" + irate(pauses) + ")";
        String calls = "http_client_requests_seconds_%s{$m}";
        String called = "sum without (client_name, error, exception, method, outcome, status, uri) (" + irate(calls)
                + ")";
        String busy = "%1$shikaricp_connections_active{$m}%2$s or %1$stomcat_threads_busy_threads"
                + "{$m}%3$s or %1$sjetty_threads_busy{$m}%4$s or %1$sexecutor_active_threads"
                + "{$m}%5$s";
        String waiting = "%1$shikaricp_connections_pending{$m}%2$s or %1$sexecutor_queued_tasks"
                + "{$m}%2$s";
        String most = " / (%s{$m} > 0)";
        return List.of(service(matchers, "cpu", "process_cpu_usage{$m}", ""),
                service(matchers, "memory[heap]", "sum without (area, id) (" + used
                        + ") / sum without (area, id) (jvm_memory_max_bytes{area=\"heap\",$m} > 0)",
                        TIMESTAMP.formatted(used)),
                service(matchers, "gc.time", paused.formatted("sum"),
                        TIMESTAMP.formatted(pauses.formatted("sum"))),
                service(matchers, "gc.rate", paused.formatted("count"),
                        TIMESTAMP.formatted(pauses.formatted("count"))),
                service(matchers, "threads.blocked", "jvm_threads_states_threads{state=\"blocked\",$m}", ""),
                service(matchers, "process.uptime", "process_uptime_seconds{$m}", ""),
                service(matchers, "pool.busy", "max without (pool, name) (" + busy.formatted("",
                        most.formatted("hikaricp_connections_max"),
                        most.formatted("tomcat_threads_config_max_threads"),
                        most.formatted("jetty_threads_config_max"), most.formatted("executor_pool_max_threads")) + ")",
                        busy.formatted("timestamp(", ")", ")", ")", ")")),
                service(matchers, "pool.waiting", "sum without (pool, name) (" + waiting.formatted("", "") + ")",
                        waiting.formatted("timestamp(", ")")),
                service(matchers, "downstream.latency", called.formatted("sum") + " / ("
                        + called.formatted("count") + " > 0)", TIMESTAMP.formatted(calls.formatted("count"))));
    }

    private static PromQuery service(String matchers, String gauge, String query, String time) {
        return query(matchers, gauge, query, time, List.of("instance"), false);
    }

    private static PromQuery query(String matchers, String gauge, String query, String time, List<String> labels,
            boolean host) {
        return new PromQuery(gauge, query.replace(MATCHERS, matchers), time.replace(MATCHERS, matchers), labels, "(.*)",
                "$1", host, true);
    }

    /** Returns the increase per second between the last two scrapes: a mean over more of them would blur the steps of a run. */
    private static String irate(String counter) {
        return "irate(" + counter + "[$__rate_interval])";
    }
}

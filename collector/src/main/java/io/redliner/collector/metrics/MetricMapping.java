// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Maps a family of series to a measurement, or a part of one, with a known meaning.
 *
 * @param family in the form of {@link MetricSeries#family}
 * @param label that has to have one of the values; empty: any series
 * @param values in lower case; none: any, but not missing
 * @param parts labels of which the first that is there names the part
 * @param unless families with the same meaning that are better: while one of them has values, this one is not used
 */
record MetricMapping(String family, MappedGauge meaning, Role role, String label, Set<String> values,
        List<String> parts,
        List<String> unless) {

    /**
     * Interfaces whose bytes are on no network, or are also counted by the interface below: loopback, containers' ends and
     * bridges, bonds (the interfaces they consist of are counted) and VLANs.
     */
    private static final Pattern UPPER = Pattern
            .compile(
                    "lo[0-9]*|(veth|docker|br-|cni|virbr|vnet|cali|flannel|vxlan|dummy|ifb|bond|team|tun|tap).*|.*\\.[0-9]+");

    private static final String PAUSES = "jvm_gc_pause_seconds";

    private static final String STATES = "jvm_threads_states_threads";

    private static final String HIKARI = "hikaricp_connections_active";

    private static final String JDBC = "jdbc_connections_active";

    private static final Map<String, List<MetricMapping>> BY_FAMILY = byFamily();

    /** The role of a series' value in its measurement. */
    enum Role {
        /** The value itself. */
        VALUE,
        /** The capacity, of which another series is the used part. */
        WHOLE,
        /** The largest recent value. */
        LARGEST,
        /** The begin, in seconds since the epoch. */
        BEGIN,
        /** No value: the series shows only that a missing one is 0. */
        ZERO
    }

    /** Returns the mapping of a series; empty for one without a known meaning. */
    static Optional<MetricMapping> of(MetricSeries series) {
        for (MetricMapping mapping : BY_FAMILY.getOrDefault(series.family(), List.of())) {
            if (mapping.fits(series.labels()) && !mapping.isUpper(series.labels())) {
                return Optional.of(mapping);
            }
        }
        return Optional.empty();
    }

    /** Returns the part that the gauge's name has in brackets; empty: none. */
    String part(Labels labels) {
        for (String name : parts) {
            String value = labels.get(name);
            if (!value.isEmpty()) {
                return value;
            }
        }
        return "";
    }

    private boolean isUpper(Labels labels) {
        return (meaning == MappedGauge.NET_TX || meaning == MappedGauge.NET_RX)
                && UPPER.matcher(part(labels)).matches();
    }

    private boolean fits(Labels labels) {
        if (label.isEmpty()) {
            return true;
        }
        String value = labels.get(label).toLowerCase(Locale.ROOT);
        return values.isEmpty() ? !value.isEmpty() : values.contains(value);
    }

    private MetricMapping where(String name, String... anyOf) {
        return new MetricMapping(family, meaning, role, name, Set.of(anyOf), parts, unless);
    }

    private MetricMapping unless(String... better) {
        return new MetricMapping(family, meaning, role, label, values, parts, List.of(better));
    }

    private static MetricMapping value(String family, MappedGauge gauge, String... parts) {
        return known(family, gauge, Role.VALUE, parts);
    }

    private static MetricMapping whole(String family, MappedGauge gauge, String... parts) {
        return known(family, gauge, Role.WHOLE, parts);
    }

    private static MetricMapping known(String family, MappedGauge gauge, Role role, String... parts) {
        return new MetricMapping(family, gauge, role, "", Set.of(), List.of(parts), List.of());
    }

    private static Map<String, List<MetricMapping>> byFamily() {
        Map<String, List<MetricMapping>> all = new HashMap<>();
        for (List<MetricMapping> some : List.of(process(), pools(), calls(), machine())) {
            for (MetricMapping mapping : some) {
                all.computeIfAbsent(mapping.family, unused -> new ArrayList<>()).add(mapping);
            }
        }
        return all;
    }

    /** Maps Micrometer's, OpenTelemetry's and the Prometheus client's names for a JVM or another process. */
    private static List<MetricMapping> process() {
        return List.of(value("process_cpu_usage", MappedGauge.CPU),
                value("jvm_cpu_recent_utilization", MappedGauge.CPU).unless("process_cpu_usage"),
                value("jvm_memory_used_bytes", MappedGauge.HEAP).where("area", "heap"),
                whole("jvm_memory_max_bytes", MappedGauge.HEAP).where("area", "heap"),
                value("jvm_memory_used_bytes", MappedGauge.HEAP).where("jvm_memory_type", "heap"),
                whole("jvm_memory_limit_bytes", MappedGauge.HEAP).where("jvm_memory_type", "heap"),
                value(PAUSES, MappedGauge.GARBAGE, "gc"),
                known("jvm_gc_pause_seconds_max", MappedGauge.GARBAGE, Role.LARGEST, "gc"),
                value("jvm_gc_duration_seconds", MappedGauge.GARBAGE, "jvm_gc_name").where("jvm_gc_action",
                        "end of minor gc", "end of major gc", "end of gc pause").unless(PAUSES),
                known("jvm_gc_duration_seconds_max", MappedGauge.GARBAGE, Role.LARGEST, "jvm_gc_name").unless(PAUSES),
                value("jvm_gc_collection_seconds", MappedGauge.GARBAGE, "gc").unless(PAUSES, "jvm_gc_duration_seconds"),
                value(STATES, MappedGauge.THREADS_BLOCKED).where("state", "blocked"),
                value("jvm_threads_state", MappedGauge.THREADS_BLOCKED).where("state", "blocked").unless(STATES),
                value("jvm_thread_count", MappedGauge.THREADS_BLOCKED).where("jvm_thread_state", "blocked").unless(
                        STATES,
                        "jvm_threads_state"),
                known("jvm_thread_count", MappedGauge.THREADS_BLOCKED, Role.ZERO).where("jvm_thread_state").unless(
                        STATES,
                        "jvm_threads_state"),
                value("process_uptime_seconds", MappedGauge.UPTIME),
                known("process_start_time_seconds", MappedGauge.UPTIME, Role.BEGIN).unless("process_uptime_seconds"));
    }

    private static List<MetricMapping> pools() {
        return List.of(value(HIKARI, MappedGauge.POOL_BUSY, "pool"),
                whole("hikaricp_connections_max", MappedGauge.POOL_BUSY, "pool"),
                value("hikaricp_connections_pending", MappedGauge.POOL_WAITING, "pool"),
                value(JDBC, MappedGauge.POOL_BUSY, "name").unless(HIKARI),
                whole("jdbc_connections_max", MappedGauge.POOL_BUSY, "name").unless(HIKARI),
                value("r2dbc_pool_acquired_connections", MappedGauge.POOL_BUSY, "name"),
                whole("r2dbc_pool_max_allocated_connections", MappedGauge.POOL_BUSY, "name"),
                value("r2dbc_pool_pending_connections", MappedGauge.POOL_WAITING, "name"),
                value("db_client_connections_usage", MappedGauge.POOL_BUSY, "pool_name").where("state", "used")
                        .unless(HIKARI, JDBC),
                whole("db_client_connections_max", MappedGauge.POOL_BUSY, "pool_name").unless(HIKARI, JDBC),
                value("db_client_connections_pending_requests", MappedGauge.POOL_WAITING, "pool_name").unless(HIKARI),
                value("db_client_connection_count", MappedGauge.POOL_BUSY, "db_client_connection_pool_name")
                        .where("db_client_connection_state", "used")
                        .unless(HIKARI, JDBC, "db_client_connections_usage"),
                whole("db_client_connection_max", MappedGauge.POOL_BUSY, "db_client_connection_pool_name").unless(
                        HIKARI,
                        JDBC, "db_client_connections_usage"),
                value("db_client_connection_pending_requests", MappedGauge.POOL_WAITING,
                        "db_client_connection_pool_name").unless(HIKARI, "db_client_connections_pending_requests"),
                value("tomcat_threads_busy_threads", MappedGauge.POOL_BUSY, "name"),
                whole("tomcat_threads_config_max_threads", MappedGauge.POOL_BUSY, "name"),
                value("jetty_threads_busy", MappedGauge.POOL_BUSY),
                whole("jetty_threads_config_max", MappedGauge.POOL_BUSY),
                value("jetty_threads_jobs", MappedGauge.POOL_WAITING),
                value("executor_active_threads", MappedGauge.POOL_BUSY, "name"),
                whole("executor_pool_max_threads", MappedGauge.POOL_BUSY, "name"),
                value("executor_queued_tasks", MappedGauge.POOL_WAITING, "name"));
    }

    private static List<MetricMapping> calls() {
        return List.of(value("http_client_requests_seconds", MappedGauge.DOWNSTREAM, "client_name"),
                value("http_client_request_duration_seconds", MappedGauge.DOWNSTREAM, "server_address"),
                value("grpc_client_processing_duration_seconds", MappedGauge.DOWNSTREAM, "service"),
                value("rpc_client_duration_seconds", MappedGauge.DOWNSTREAM, "server_address", "rpc_service"),
                value("rpc_client_call_duration_seconds", MappedGauge.DOWNSTREAM, "server_address"),
                value("db_client_operation_duration_seconds", MappedGauge.DOWNSTREAM, "server_address", "db_namespace",
                        "db_system_name", "db_system"));
    }

    /** Maps the names for a machine of the OpenTelemetry collector and of Prometheus' node exporter. */
    private static List<MetricMapping> machine() {
        return List.of(
                value("system_network_io_bytes", MappedGauge.NET_TX, "network_interface_name", "device").where(
                        "direction",
                        "transmit"),
                value("system_network_io_bytes", MappedGauge.NET_RX, "network_interface_name", "device").where(
                        "direction",
                        "receive"),
                value("system_network_io_bytes", MappedGauge.NET_TX, "network_interface_name", "system_device")
                        .where("network_io_direction", "transmit"),
                value("system_network_io_bytes", MappedGauge.NET_RX, "network_interface_name", "system_device")
                        .where("network_io_direction", "receive"),
                value("node_network_transmit_bytes", MappedGauge.NET_TX, "device").unless("system_network_io_bytes"),
                value("node_network_receive_bytes", MappedGauge.NET_RX, "device").unless("system_network_io_bytes"),
                value("system_disk_io_time_seconds", MappedGauge.DISK_BUSY, "device", "system_device"),
                value("node_disk_io_time_seconds", MappedGauge.DISK_BUSY, "device"));
    }
}

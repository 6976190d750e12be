// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A family of series that is not a custom gauge but (a part of) a measurement with a meaning.
 *
 * @param family in the form of {@link Series#family}
 * @param label that has to have one of the values; empty: any series
 * @param values in lower case; none: any, but not missing
 * @param parts labels of which the first that is there names the part
 * @param unless the same is known better from series of these families, when there are any that say something
 */
record Known(String family, Meaning meaning, Role role, String label, Set<String> values, List<String> parts,
        List<String> unless) {

    /**
     * Interfaces whose bytes are on no network, or are also counted by the one below: loopback, containers' ends and
     * bridges, bonds (the interfaces they consist of are counted) and VLANs.
     */
    private static final Pattern UPPER = Pattern
            .compile(
                    "lo[0-9]*|(veth|docker|br-|cni|virbr|vnet|cali|flannel|vxlan|dummy|ifb|bond|team|tun|tap).*|.*\\.[0-9]+");

    private static final String PAUSES = "jvm_gc_pause_seconds";

    private static final String STATES = "jvm_threads_states_threads";

    private static final String HIKARI = "hikaricp_connections_active";

    private static final String JDBC = "jdbc_connections_active";

    private static final Map<String, List<Known>> BY_FAMILY = byFamily();

    /** What a series says is, for its meaning. */
    enum Role {
        /** The value itself. */
        VALUE,
        /** What there is, of which something is used. */
        WHOLE,
        /** The largest of late. */
        LARGEST,
        /** Seconds since the epoch at which it began. */
        BEGIN,
        /** Nothing, but that what is not said is 0. */
        ZERO
    }

    /** What a series means; empty for one that means nothing to us. */
    static Optional<Known> of(Series series) {
        for (Known known : BY_FAMILY.getOrDefault(series.family(), List.of())) {
            if (known.fits(series.labels()) && !known.isUpper(series.labels())) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    /** What is in the brackets; empty: nothing. */
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
        return (meaning == Meaning.NET_TX || meaning == Meaning.NET_RX) && UPPER.matcher(part(labels)).matches();
    }

    private boolean fits(Labels labels) {
        if (label.isEmpty()) {
            return true;
        }
        String value = labels.get(label).toLowerCase(Locale.ROOT);
        return values.isEmpty() ? !value.isEmpty() : values.contains(value);
    }

    private Known where(String name, String... anyOf) {
        return new Known(family, meaning, role, name, Set.of(anyOf), parts, unless);
    }

    private Known unless(String... better) {
        return new Known(family, meaning, role, label, values, parts, List.of(better));
    }

    private static Known value(String family, Meaning meaning, String... parts) {
        return known(family, meaning, Role.VALUE, parts);
    }

    private static Known whole(String family, Meaning meaning, String... parts) {
        return known(family, meaning, Role.WHOLE, parts);
    }

    private static Known known(String family, Meaning meaning, Role role, String... parts) {
        return new Known(family, meaning, role, "", Set.of(), List.of(parts), List.of());
    }

    private static Map<String, List<Known>> byFamily() {
        Map<String, List<Known>> all = new HashMap<>();
        for (List<Known> some : List.of(process(), pools(), calls(), machine())) {
            for (Known known : some) {
                all.computeIfAbsent(known.family, unused -> new ArrayList<>()).add(known);
            }
        }
        return all;
    }

    /** Micrometer's, OpenTelemetry's and the Prometheus client's names for the same of a JVM or another process. */
    private static List<Known> process() {
        return List.of(value("process_cpu_usage", Meaning.CPU),
                value("jvm_cpu_recent_utilization", Meaning.CPU).unless("process_cpu_usage"),
                value("jvm_memory_used_bytes", Meaning.HEAP).where("area", "heap"),
                whole("jvm_memory_max_bytes", Meaning.HEAP).where("area", "heap"),
                value("jvm_memory_used_bytes", Meaning.HEAP).where("jvm_memory_type", "heap"),
                whole("jvm_memory_limit_bytes", Meaning.HEAP).where("jvm_memory_type", "heap"),
                value(PAUSES, Meaning.GARBAGE, "gc"),
                known("jvm_gc_pause_seconds_max", Meaning.GARBAGE, Role.LARGEST, "gc"),
                value("jvm_gc_duration_seconds", Meaning.GARBAGE, "jvm_gc_name").where("jvm_gc_action",
                        "end of minor gc", "end of major gc", "end of gc pause").unless(PAUSES),
                known("jvm_gc_duration_seconds_max", Meaning.GARBAGE, Role.LARGEST, "jvm_gc_name").unless(PAUSES),
                value("jvm_gc_collection_seconds", Meaning.GARBAGE, "gc").unless(PAUSES, "jvm_gc_duration_seconds"),
                value(STATES, Meaning.THREADS_BLOCKED).where("state", "blocked"),
                value("jvm_threads_state", Meaning.THREADS_BLOCKED).where("state", "blocked").unless(STATES),
                value("jvm_thread_count", Meaning.THREADS_BLOCKED).where("jvm_thread_state", "blocked").unless(STATES,
                        "jvm_threads_state"),
                known("jvm_thread_count", Meaning.THREADS_BLOCKED, Role.ZERO).where("jvm_thread_state").unless(STATES,
                        "jvm_threads_state"),
                value("process_uptime_seconds", Meaning.UPTIME),
                known("process_start_time_seconds", Meaning.UPTIME, Role.BEGIN).unless("process_uptime_seconds"));
    }

    private static List<Known> pools() {
        return List.of(value(HIKARI, Meaning.POOL_BUSY, "pool"),
                whole("hikaricp_connections_max", Meaning.POOL_BUSY, "pool"),
                value("hikaricp_connections_pending", Meaning.POOL_WAITING, "pool"),
                value(JDBC, Meaning.POOL_BUSY, "name").unless(HIKARI),
                whole("jdbc_connections_max", Meaning.POOL_BUSY, "name").unless(HIKARI),
                value("r2dbc_pool_acquired_connections", Meaning.POOL_BUSY, "name"),
                whole("r2dbc_pool_max_allocated_connections", Meaning.POOL_BUSY, "name"),
                value("r2dbc_pool_pending_connections", Meaning.POOL_WAITING, "name"),
                value("db_client_connections_usage", Meaning.POOL_BUSY, "pool_name").where("state", "used")
                        .unless(HIKARI, JDBC),
                whole("db_client_connections_max", Meaning.POOL_BUSY, "pool_name").unless(HIKARI, JDBC),
                value("db_client_connections_pending_requests", Meaning.POOL_WAITING, "pool_name").unless(HIKARI),
                value("db_client_connection_count", Meaning.POOL_BUSY, "db_client_connection_pool_name")
                        .where("db_client_connection_state", "used")
                        .unless(HIKARI, JDBC, "db_client_connections_usage"),
                whole("db_client_connection_max", Meaning.POOL_BUSY, "db_client_connection_pool_name").unless(HIKARI,
                        JDBC, "db_client_connections_usage"),
                value("db_client_connection_pending_requests", Meaning.POOL_WAITING,
                        "db_client_connection_pool_name").unless(HIKARI, "db_client_connections_pending_requests"),
                value("tomcat_threads_busy_threads", Meaning.POOL_BUSY, "name"),
                whole("tomcat_threads_config_max_threads", Meaning.POOL_BUSY, "name"),
                value("jetty_threads_busy", Meaning.POOL_BUSY),
                whole("jetty_threads_config_max", Meaning.POOL_BUSY),
                value("jetty_threads_jobs", Meaning.POOL_WAITING),
                value("executor_active_threads", Meaning.POOL_BUSY, "name"),
                whole("executor_pool_max_threads", Meaning.POOL_BUSY, "name"),
                value("executor_queued_tasks", Meaning.POOL_WAITING, "name"));
    }

    private static List<Known> calls() {
        return List.of(value("http_client_requests_seconds", Meaning.DOWNSTREAM, "client_name"),
                value("http_client_request_duration_seconds", Meaning.DOWNSTREAM, "server_address"),
                value("grpc_client_processing_duration_seconds", Meaning.DOWNSTREAM, "service"),
                value("rpc_client_duration_seconds", Meaning.DOWNSTREAM, "server_address", "rpc_service"),
                value("rpc_client_call_duration_seconds", Meaning.DOWNSTREAM, "server_address"),
                value("db_client_operation_duration_seconds", Meaning.DOWNSTREAM, "server_address", "db_namespace",
                        "db_system_name", "db_system"));
    }

    /** Of machines, as the OpenTelemetry collector and Prometheus' node exporter tell it. */
    private static List<Known> machine() {
        return List.of(
                value("system_network_io_bytes", Meaning.NET_TX, "network_interface_name", "device").where("direction",
                        "transmit"),
                value("system_network_io_bytes", Meaning.NET_RX, "network_interface_name", "device").where("direction",
                        "receive"),
                value("system_network_io_bytes", Meaning.NET_TX, "network_interface_name", "system_device")
                        .where("network_io_direction", "transmit"),
                value("system_network_io_bytes", Meaning.NET_RX, "network_interface_name", "system_device")
                        .where("network_io_direction", "receive"),
                value("node_network_transmit_bytes", Meaning.NET_TX, "device").unless("system_network_io_bytes"),
                value("node_network_receive_bytes", Meaning.NET_RX, "device").unless("system_network_io_bytes"),
                value("system_disk_io_time_seconds", Meaning.DISK_BUSY, "device", "system_device"),
                value("node_disk_io_time_seconds", Meaning.DISK_BUSY, "device"));
    }
}

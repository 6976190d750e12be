// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.Set;

/**
 * Names with a meaning for rules and diagnoses, which a service's own metric of that name does not have. Custom gauges and
 * measurements share one map: {@code cpu 57} of a service would be taken for a CPU at 5700 %.
 */
final class ReservedGaugeNames {

    /** The prefix of the rule language's latencies, with any percentile. */
    private static final String LATENCIES = "latency.";

    /** The names of the rule language, and those of the analyzer's gauges. */
    private static final Set<String> NAMES = Set.of("error_rate", "timeout_rate", "cancel_rate", "qps", "overdue",
            "cpu",
            "cpu.quota", "cpu.throttled", "cpu.steal", "cpu.thread", "memory", "memory.stalled", "gc.pause",
            "gc.pause.cpu", "gc.time", "gc.rate", "process.pause", "process.uptime", "threads.blocked", "pool.busy",
            "pool.waiting", "net.tx", "net.rx", "net.link", "net.speed", "disk.busy", "sockets.send.queue",
            "sockets.receive.queue", "client.receive.queue", "sockets.case", "downstream.latency",
            "collector.cpu", "collector.lag", "collector.steal", "collector.throttled", "clock.offset",
            "metrics.offset", "request.ids.shared", "proxies.unknown");

    private ReservedGaugeNames() {}

    /** Returns whether a name is reserved. A finer name, {@code cpu[3]}, is as reserved as the plain one. */
    static boolean contains(String name) {
        int bracket = name.indexOf('[');
        int brace = name.indexOf('{');
        // In a label's value a bracket says nothing.
        String plain = bracket < 0 || (brace >= 0 && brace < bracket) ? name : name.substring(0, bracket);
        return NAMES.contains(plain) || plain.startsWith(LATENCIES);
    }
}

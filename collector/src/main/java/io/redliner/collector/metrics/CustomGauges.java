// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The custom gauges of one series; its first point determines all names. A level has the series' own name. A counter has {@code
 * .rate}, per second. A histogram has also {@code .mean} and quantiles, such as {@code .p99}.
 */
final class CustomGauges {

    /** The gauges of a series that has a known meaning, and so no custom ones. */
    static final CustomGauges NONE = new CustomGauges(List.of(), new TreeMap<>());

    private static final List<Double> QUANTILES = List.of(0.5, 0.9, 0.95, 0.99);

    /** The most quantiles of a summary that are used. */
    private static final int MAX_QUANTILES = 20;

    private static final int MEAN = 1;

    /** The name of the level or the rate, then that of the mean. */
    private final List<String> names;

    private final Map<Double, String> quantiles;

    private CustomGauges(List<String> names, Map<Double, String> quantiles) {
        this.names = names;
        this.quantiles = quantiles;
    }

    static CustomGauges of(MetricPoint first) {
        String base = first.series().toString();
        return switch (first) {
            case MetricPoint.Level unused -> new CustomGauges(List.of(base), new TreeMap<>());
            case MetricPoint.Total unused -> rate(base);
            case MetricPoint.Increment unused -> rate(base);
            case MetricPoint.Histogram histogram -> new CustomGauges(List.of(base + ".rate", base + ".mean"),
                    named(base, histogram.distribution().hasBuckets() ? QUANTILES : List.of()));
            case MetricPoint.Summary summary -> new CustomGauges(List.of(base + ".rate", base + ".mean"),
                    named(base, summary.quantiles().keySet()));
        };
    }

    /** Returns whether one of the names is reserved. */
    boolean reserved() {
        return names.stream().anyMatch(ReservedGaugeNames::contains)
                || quantiles.values().stream().anyMatch(ReservedGaugeNames::contains);
    }

    int count() {
        return names.size() + quantiles.size();
    }

    /** Returns the measurements of a point; values that are not finite are left out. */
    List<GaugeMeasurement> measure(PointDelta delta, InstanceId instanceId, double factor, Duration hold) {
        List<GaugeMeasurement> measured = new ArrayList<>();
        if (delta instanceof PointDelta.At at && Double.isFinite(at.value() * factor)) {
            measured.add(
                    new GaugeMeasurement(instanceId, names.getFirst(), at.value() * factor, at.time(), at.time(),
                            hold));
        } else if (delta instanceof PointDelta.Grown grown) {
            grown(grown, new Writer(measured, instanceId, grown, hold), factor);
        }
        return measured;
    }

    private void grown(PointDelta.Grown grown, Writer writer, double factor) {
        BucketHistogram increase = grown.increase();
        if (names.size() <= MEAN) {
            writer.write(names.getFirst(), grown.rate() * factor);
            return;
        }
        writer.write(names.getFirst(), grown.rate());
        if (increase.count() > 0) {
            writer.write(names.get(MEAN), increase.sum() / increase.count() * factor);
            quantiles.forEach((quantile, name) -> {
                double value = grown.quantiles().getOrDefault(quantile, increase.quantile(quantile));
                writer.write(name, value * factor);
            });
        }
    }

    private static CustomGauges rate(String base) {
        return new CustomGauges(List.of(base + ".rate"), new TreeMap<>());
    }

    private static Map<Double, String> named(String base, Iterable<Double> quantiles) {
        Map<Double, String> named = new TreeMap<>();
        for (Double quantile : quantiles) {
            if (quantile >= 0 && quantile <= 1 && named.size() < MAX_QUANTILES) {
                named.put(quantile, base + ".p" + percent(quantile));
            }
        }
        return named;
    }

    /** Returns the digits of a quantile: 0.5 gives 50, 0.999 gives 999. */
    private static String percent(double quantile) {
        return BigDecimal.valueOf(quantile).movePointRight(2).stripTrailingZeros().toPlainString().replace(".", "");
    }

    private record Writer(List<GaugeMeasurement> into, InstanceId instanceId, PointDelta.Grown grown, Duration hold) {

        void write(String name, double value) {
            if (Double.isFinite(value)) {
                into.add(new GaugeMeasurement(instanceId, name, value, grown.from(), grown.to(), hold));
            }
        }
    }

    /**
     * Names with a meaning for rules and diagnoses, which a service's own metric of that name does not have. Custom gauges and
     * measurements share one map: {@code cpu 57} of a service would be taken for a CPU at 5700 %.
     */
    static final class ReservedGaugeNames {

        /** The prefix of the rule language's latencies, with any percentile. */
        private static final String LATENCIES = "latency.";

        /** The names of the rule language, and those of the analyzer's gauges. */
        private static final Set<String> NAMES = Set.of("error_rate", "timeout_rate", "cancel_rate", "qps", "overdue",
                "cpu",
                "cpu.quota", "cpu.throttled", "cpu.steal", "cpu.system", "cpu.hyperthreads", "cpu.others",
                "cpu.stalled", "cpu.thread", "cpu.waiting", "memory",
                "memory.stalled", "io.stalled", "gc.pause",
                "gc.pause.cpu", "gc.time", "gc.rate", "process.pause", "pauses.rate", "pauses.time", "process.uptime",
                "process.program",
                "threads.blocked", "pool.busy",
                "pool.waiting", "net.tx", "net.rx", "net.link", "net.speed", "disk.busy", "sockets.send.queue",
                "sockets.receive.queue", "client.receive.queue", "sockets.case", "downstream.latency",
                "proxy.cpu", "collector.cpu", "collector.lag", "collector.steal", "collector.throttled",
                "collector.stalled", "clock.offset",
                "metrics.offset", "request.ids.shared", "requests.slowest", "proxies.unknown");

        private ReservedGaugeNames() {}

        /** Returns whether a name is reserved. A finer name, {@code cpu[3]}, is as reserved as the plain one. */
        static boolean contains(String name) {
            int bracket = name.indexOf('[');
            int brace = name.indexOf('{');
            // A bracket in the value of a label does not begin a part.
            String plain = bracket < 0 || (brace >= 0 && brace < bracket) ? name : name.substring(0, bracket);
            return NAMES.contains(plain) || plain.startsWith(LATENCIES);
        }
    }
}

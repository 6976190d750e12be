// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import io.redliner.collector.metrics.MetricTranslator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A query in PromQL whose result is one gauge.
 *
 * @param gauge a name of the rule language or of a diagnosis, such as {@code cpu}, else the name of a custom gauge
 * @param query the value for each instance; {@code $__rate_interval} is four scrape intervals, as in Grafana
 * @param time a query for the times of the samples that the value is made of, in seconds since the epoch; empty: those of the query,
 * when that is a selector
 * @param labels the labels that may name the instance; the first that names a known one counts
 * @param regex the pattern of the whole label, as in Prometheus' {@code relabel_config}
 * @param replacement the instance by the groups of {@code regex}: host:port, a host, or a machine as redirectors call it
 * @param host whether the value is of a whole host, and so of each instance there
 * @param optional whether it is no fault when no series is there
 */
record PromQuery(String gauge, String query, @DefaultValue("") String time,
        @DefaultValue("instance") List<String> labels,
        @DefaultValue("(.*)") String regex, @DefaultValue("$1") String replacement,
        @DefaultValue("false") boolean host, @DefaultValue("false") boolean optional) {

    private static final String WHERE = "redliner.collector.prometheus.queries: ";

    private static final String RATE_INTERVAL = "$__rate_interval";

    /** Gauges that are a part of a whole, 1 at most. */
    private static final Set<String> RATIOS = Set.of("cpu", "cpu.quota", "cpu.throttled", "cpu.steal", "cpu.system",
            "cpu.others", "cpu.stalled", "cpu.thread", "memory", "memory.stalled", "io.stalled", "gc.time", "net.link",
            "disk.busy", "pool.busy");

    private static final double MINUTE = 60;

    private static final double DECADE = Duration.ofDays(3_650).toSeconds();

    private static final double TERABYTE = 1e12;

    /**
     * Other gauges that diagnoses know, never below 0. Each has the largest value that may be: in seconds, bytes/s or 1/s. Counts have none,
     * because they have no unit that could be wrong.
     */
    private static final Map<String, Double> AMOUNTS = Map.of("gc.pause", MINUTE, "process.pause", MINUTE, "gc.rate",
            10_000.0, "threads.blocked", Double.MAX_VALUE, "pool.waiting", Double.MAX_VALUE, "net.tx", TERABYTE,
            "net.rx", TERABYTE, "net.speed", TERABYTE, "downstream.latency", 10 * MINUTE, "process.uptime", DECADE);

    /** Rates between two scrapes may be a little above the whole. */
    private static final double MAX_RATIO = 1.25;

    private static final Pattern SELECTOR = Pattern.compile("[A-Za-z_:][A-Za-z0-9_:]*(\\{[^{}]*})?");

    PromQuery {
        if (gauge.isEmpty() || query.isBlank()) {
            throw new IllegalArgumentException(WHERE + "each needs a gauge and a query");
        }
        if (!isKnown(gauge) && MetricTranslator.isReserved(gauge)) {
            throw new IllegalArgumentException(WHERE + "the collector itself measures " + gauge
                    + "; give the gauge another name, and it is a custom one");
        }
        query = query.strip();
        time = !time.isBlank() ? time.strip() : SELECTOR.matcher(query).matches() ? "timestamp(" + query + ")" : "";
        if (time.isEmpty()) {
            throw new IllegalArgumentException(
                    WHERE + gauge + " is more than a selector and needs time, a query for when"
                            + " its samples were scraped, such as timestamp(node_load1)");
        }
        labels = List.copyOf(labels);
        if (labels.isEmpty()) {
            throw new IllegalArgumentException(WHERE + gauge + " needs labels, which name the instance");
        }
        try {
            // The empty text matches, so the replacement's groups are looked up.
            var unused = Pattern.compile(regex + "|").matcher("").replaceFirst(replacement);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(WHERE + "regex and replacement of " + gauge + ": " + e.getMessage(), e);
        }
    }

    private static boolean isKnown(String gauge) {
        return RATIOS.contains(plain(gauge)) || AMOUNTS.containsKey(plain(gauge));
    }

    private static String plain(String gauge) {
        int bracket = gauge.indexOf('[');
        return bracket < 0 ? gauge : gauge.substring(0, bracket);
    }

    /** Returns why the gauge cannot have a value; empty when it can. */
    Optional<String> objection(double value) {
        if (!Double.isFinite(value)) {
            return Optional.of("is no finite number; a division by 0? Let the query leave such series out with > 0");
        }
        if (isKnown(gauge) && value < 0) {
            return Optional.of("is below 0, which cannot be");
        }
        return Optional.empty();
    }

    /** Returns why the query is not in the gauge's unit when one value is so large; empty when it may be. */
    Optional<String> wrongUnit(double value) {
        if (!Double.isFinite(value)) {
            return Optional.empty();
        }
        if (RATIOS.contains(plain(gauge)) && value > MAX_RATIO) {
            return Optional.of("is above 1, and 1 is all there is; divide percent by 100, or by what may be used");
        }
        double max = AMOUNTS.getOrDefault(plain(gauge), Double.MAX_VALUE);
        return value > max
                ? Optional
                        .of("is above " + Math.round(max) + ", which cannot be; let the query give seconds, bytes/s or"
                                + " 1/s")
                : Optional.empty();
    }

    /** Returns the instance, host or machine that a label names; empty when the label is not there or of another form. */
    Optional<String> target(String label) {
        Matcher matcher = Pattern.compile(regex).matcher(label);
        return label.isEmpty() || !matcher.matches()
                ? Optional.empty()
                : Optional.of(matcher.replaceFirst(replacement));
    }

    /** Returns a query with Grafana's variable replaced. */
    static String expand(String promQl, long scrapeIntervalMillis) {
        return promQl.replace(RATE_INTERVAL, 4 * scrapeIntervalMillis + "ms");
    }
}

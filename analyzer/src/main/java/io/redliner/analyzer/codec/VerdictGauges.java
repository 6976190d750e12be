// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.contract.v1.Figure;
import io.redliner.sla.MetricUnit;
import io.redliner.sla.OverdueRequests;
import io.redliner.sla.WindowStats;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the gauges of an instance that a verdict contains, for people to look at. Verdicts are stored for every window, so their
 * gauges are few: known gauges first, then the service's own up to a limit.
 */
final class VerdictGauges {

    static final int MAX_GAUGES = 24;

    /** Slow requests of a broken window, beside the gauges: people look at few of them. */
    private static final int SLOWEST_REQUESTS = 3;

    /** Length of a name. Longer names are of series with labels. */
    private static final int MAX_NAME = 64;

    /** Precision that is visible in a chart. */
    private static final MathContext DIGITS = new MathContext(4);

    private static final String OVERDUE = "overdue";

    private static final Map<String, MetricUnit> KNOWN = known();

    private VerdictGauges() {}

    private static Map<String, MetricUnit> known() {
        var known = new LinkedHashMap<String, MetricUnit>();
        for (var gauge : List.of(KnownGauge.CPU, KnownGauge.CPU_QUOTA, KnownGauge.CPU_THROTTLED, KnownGauge.CPU_STEAL,
                KnownGauge.MEMORY,
                KnownGauge.MEMORY_STALLED, KnownGauge.GC_PAUSE, KnownGauge.GC_TIME, KnownGauge.PROCESS_PAUSE,
                KnownGauge.THREADS_BLOCKED,
                KnownGauge.POOL_BUSY, KnownGauge.POOL_WAITING, KnownGauge.NET_TX, KnownGauge.NET_RX,
                KnownGauge.NET_LINK, KnownGauge.DISK_BUSY, KnownGauge.IO_STALLED, KnownGauge.SOCKETS_SEND_QUEUE)) {
            add(known, gauge);
        }
        known.put("sockets.receive.queue", MetricUnit.COUNT);
        add(known, KnownGauge.CLIENT_RECEIVE_QUEUE);
        add(known, KnownGauge.DOWNSTREAM_LATENCY);
        known.put("sockets.connections", MetricUnit.COUNT);
        add(known, KnownGauge.SOCKETS_ACCEPT_QUEUE);
        return known;
    }

    private static void add(Map<String, MetricUnit> known, KnownGauge gauge) {
        known.put(gauge.gaugeName(), gauge.unit());
    }

    /** Returns the gauges of the SUT: the known ones, and the service's own. */
    static List<Figure> all(WindowStats measured) {
        var shown = new ArrayList<>(known(measured));
        measured.gauges().keySet().stream().filter(VerdictGauges::plainCustom).sorted()
                .limit(MAX_GAUGES - (long) shown.size())
                .forEach(name -> add(shown, name, measured.gauges().get(name), MetricUnit.UNKNOWN));
        return shown;
    }

    /** Returns the same, and the slowest requests that have a trace. */
    static List<Figure> withSlowestRequests(WindowStats measured) {
        var shown = all(measured);
        measured.gauges().entrySet().stream()
                .filter(gauge -> gauge.getKey().startsWith(KnownGauge.SLOW_REQUEST))
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed()).limit(SLOWEST_REQUESTS)
                .forEach(gauge -> add(shown, gauge.getKey(), gauge.getValue(), MetricUnit.SECONDS));
        return shown;
    }

    /** Returns the known gauges, which are all that is reported of peers. */
    static List<Figure> known(WindowStats measured) {
        var shown = new ArrayList<Figure>();
        if (!measured.overdue().isEmpty()) {
            add(shown, OVERDUE,
                    (double) measured.overdue().stream().mapToLong(OverdueRequests::newlyOverdue).max().orElse(0),
                    MetricUnit.COUNT);
        }
        KNOWN.forEach((name, unit) -> add(shown, name, measured.gauges().get(name), unit));
        return shown;
    }

    private static boolean plainCustom(String name) {
        return !KNOWN.containsKey(name) && !KnownGauge.known(name) && name.length() <= MAX_NAME
                && name.indexOf('[') < 0 && name.indexOf('{') < 0;
    }

    private static void add(List<Figure> shown, String name, @Nullable Double value, MetricUnit unit) {
        if (value != null && Double.isFinite(value)) {
            double rounded = new BigDecimal(value).round(DIGITS).doubleValue();
            shown.add(Figure.newBuilder().setName(name).setValue(rounded).setUnit(VerdictEncoder.unit(unit)).build());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Selection of the gauges that a run's statistics keep, in bounded space. Of a gauge's parts each block keeps those that it saw most
 * often, and of those the largest: what comes under load only is not lost, and no gauge takes the places of another.
 */
final class KeptGauges {

    /** Maximum number of gauges that are kept beside the known ones: custom gauges, and parts of gauges that no diagnosis uses. */
    private static final int MAX_OTHER_GAUGES = 6;

    /** Maximum length of a gauge name that is kept, in characters. */
    private static final int MAX_NAME = 60;

    /** Maximum length of a gauge name whose part in brackets a diagnosis reports, in characters: a class and a method. */
    private static final int MAX_NAMED_PART = 100;

    private static final Comparator<Map.Entry<String, GaugeStats>> BY_FREQUENCY = Comparator
            .comparingInt((Map.Entry<String, GaugeStats> part) -> part.getValue().windows())
            .thenComparingDouble(part -> part.getValue().mean()).reversed().thenComparing(Map.Entry.comparingByKey());

    private KeptGauges() {}

    /**
     * Selects the gauges of a window. It drops NaN, infinity and slow requests, whose names are new in each window. It keeps what does
     * not change in the first block only.
     *
     * @param reported names of all gauges that were kept before
     */
    static Map<String, GaugeStats> of(Map<String, Double> measured, List<String> reported) {
        var others = new ArrayList<>(reported.stream()
                .filter(name -> !KnownGauge.known(name) && KnownGauge.withNamedPart(name).isEmpty()).toList());
        var levels = new TreeMap<String, GaugeStats>();
        new TreeMap<>(measured).forEach((name, value) -> {
            var gauge = KnownGauge.withNamedPart(name);
            if (!Double.isFinite(value) || name.startsWith(KnownGauge.SLOW_REQUEST)
                    || name.length() > (gauge.isPresent() ? MAX_NAMED_PART : MAX_NAME)
                    || (KnownGauge.isConstant(name) && reported.contains(name))) {
                return;
            }
            if (KnownGauge.known(name)
                    || (gauge.isPresent() ? !isGone(gauge.get(), value) : isKept(name, others))) {
                levels.put(name, GaugeStats.of(value));
            }
        });
        return bounded(levels);
    }

    /** Returns true for a method or monitor of the look before, which no thread runs or waits for any more. */
    private static boolean isGone(KnownGauge gauge, double value) {
        return value <= 0 && (gauge == KnownGauge.THREADS_RUNNABLE || gauge == KnownGauge.THREADS_BLOCKED);
    }

    /** Returns the gauges of two blocks as those of one. */
    static Map<String, GaugeStats> joined(Map<String, GaugeStats> earlier, Map<String, GaugeStats> later) {
        var both = new TreeMap<>(earlier);
        later.forEach((name, level) -> both.merge(name, level, GaugeStats::then));
        return bounded(both);
    }

    /** Removes the rarest parts of each gauge that has too many, and of equally rare ones the smallest. */
    private static Map<String, GaugeStats> bounded(Map<String, GaugeStats> levels) {
        var parts = new EnumMap<KnownGauge, List<Map.Entry<String, GaugeStats>>>(KnownGauge.class);
        levels.entrySet().forEach(level -> KnownGauge.withNamedPart(level.getKey())
                .ifPresent(gauge -> parts.computeIfAbsent(gauge, unused -> new ArrayList<>())
                        .add(Map.entry(level.getKey(), level.getValue()))));
        parts.forEach((gauge, all) -> all.stream().sorted(BY_FREQUENCY).skip(gauge.keptParts())
                .forEach(part -> levels.remove(part.getKey())));
        return levels;
    }

    /** Adds a name to those that are kept unless there are too many, and returns whether it is kept. */
    private static boolean isKept(String name, List<String> kept) {
        if (!kept.contains(name) && kept.size() < MAX_OTHER_GAUGES) {
            kept.add(name);
        }
        return kept.contains(name);
    }
}

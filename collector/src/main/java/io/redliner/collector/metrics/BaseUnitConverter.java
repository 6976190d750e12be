// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.List;
import java.util.Map;

/** Converts the units that services report to the base unit that a family's name ends with. */
final class BaseUnitConverter {

    private static final double KIBI = 1024;

    /**
     * Base units by the word that a name of Prometheus ends with, and by the spelling of OpenTelemetry (UCUM) and Micrometer. A
     * unit that is missing here stands for itself: {@code threads}.
     */
    private static final Map<String, Base> BASES = Map.ofEntries(
            Map.entry("s", new Base("seconds", 1)), Map.entry("ms", new Base("seconds", 1e-3)),
            Map.entry("us", new Base("seconds", 1e-6)), Map.entry("ns", new Base("seconds", 1e-9)),
            Map.entry("min", new Base("seconds", 60)), Map.entry("h", new Base("seconds", 3600)),
            Map.entry("d", new Base("seconds", 86_400)), Map.entry("milliseconds", new Base("seconds", 1e-3)),
            Map.entry("microseconds", new Base("seconds", 1e-6)), Map.entry("nanoseconds", new Base("seconds", 1e-9)),
            Map.entry("minutes", new Base("seconds", 60)), Map.entry("hours", new Base("seconds", 3600)),
            Map.entry("days", new Base("seconds", 86_400)), Map.entry("By", new Base("bytes", 1)),
            Map.entry("kBy", new Base("bytes", 1e3)), Map.entry("MBy", new Base("bytes", 1e6)),
            Map.entry("GBy", new Base("bytes", 1e9)), Map.entry("KiBy", new Base("bytes", KIBI)),
            Map.entry("MiBy", new Base("bytes", KIBI * KIBI)), Map.entry("GiBy", new Base("bytes", KIBI * KIBI * KIBI)),
            Map.entry("By/s", new Base("bytes_per_second", 1)), Map.entry("1", new Base("", 1)),
            Map.entry("%", new Base("percent", 1)), Map.entry("Cel", new Base("celsius", 1)),
            Map.entry("Hz", new Base("hertz", 1)));

    /** Ends of names that can only be units, and are not the base unit. {@code us} is missing: it could be the USA. */
    private static final List<String> ENDS = List.of("milliseconds", "microseconds", "nanoseconds");

    private BaseUnitConverter() {}

    /** Returns the family with its base unit at its end. */
    static Named name(String family, String unit) {
        String plain = unit.startsWith("{") ? "" : unit;
        if (!plain.isEmpty()) {
            Base base = BASES.getOrDefault(plain, new Base(MetricNameNormalizer.family(plain), 1));
            String stem = cut(cut(family, plain), base.word);
            return new Named(base.word.isEmpty() ? cut(stem, "ratio") : stem + "_" + base.word, base.factor);
        }
        for (String end : ENDS) {
            String stem = cut(family, end);
            if (stem.length() < family.length()) {
                return new Named(stem + "_seconds", BASES.getOrDefault(end, new Base("seconds", 1)).factor);
            }
        }
        return new Named(cut(family, "ratio"), 1);
    }

    private static String cut(String family, String word) {
        String end = "_" + word;
        return word.isEmpty() || !family.endsWith(end) || family.length() == end.length()
                ? family
                : family.substring(0, family.length() - end.length());
    }

    /** A family in its base unit, and the factor that converts its values to it. */
    record Named(String family, double factor) {}

    private record Base(String word, double factor) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The gauges of the instances of one service. Times in milliseconds since the epoch. */
final class Gauges {

    private final int maxGauges;

    private final Map<String, Map<String, GaugeSeries>> byInstance = new TreeMap<>();

    Gauges(int maxGauges) {
        this.maxGauges = maxGauges;
    }

    /** Instances that something is known of. */
    Set<String> instances() {
        return byInstance.keySet();
    }

    /**
     * False when the instance has too many already.
     *
     * @param notBefore a measurement from before counts as one of then
     */
    boolean add(Measurement measurement, long notBefore) {
        Map<String, GaugeSeries> gauges = byInstance.computeIfAbsent(measurement.subject().instance(),
                instance -> new HashMap<>());
        GaugeSeries series = gauges.get(measurement.name());
        if (series == null) {
            if (gauges.size() >= maxGauges) {
                return false;
            }
            series = new GaugeSeries(measurement.name());
            gauges.put(measurement.name(), series);
        }
        long heldUntil = measurement.to().plus(measurement.hold()).toEpochMilli();
        if (heldUntil < notBefore) {
            series.add(notBefore, notBefore, notBefore, measurement.value());
        } else {
            series.add(measurement.from().toEpochMilli(), measurement.to().toEpochMilli(), heldUntil,
                    measurement.value());
        }
        return true;
    }

    /** What an instance's gauges were in a window, by name; those that are not known are absent. */
    Map<String, Double> in(String instance, long start, long end) {
        Map<String, Double> values = new HashMap<>();
        byInstance.getOrDefault(instance, Map.of())
                .forEach((name, series) -> series.in(start, end).ifPresent(value -> values.put(name, value)));
        return values;
    }

    /** Windows that begin before then are sealed. */
    void forgetBefore(long start) {
        byInstance.values().removeIf(gauges -> {
            gauges.values().removeIf(series -> !series.forgetBefore(start));
            return gauges.isEmpty();
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.WindowMetrics.MeasurementDropReason;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The gauges of the instances of one service. Times in milliseconds since the epoch. */
final class ServiceGauges {

    private final WindowSettings settings;

    private final Map<String, Map<String, GaugeSeries>> byInstance = new TreeMap<>();

    ServiceGauges(WindowSettings settings) {
        this.settings = settings;
    }

    /** Instances that something is known of. */
    Set<String> instances() {
        return byInstance.keySet();
    }

    /**
     * Adds a measurement, or returns the reason why not.
     *
     * @param notBefore the start of the oldest open window: an earlier measurement counts as one of that time
     */
    Optional<MeasurementDropReason> add(GaugeMeasurement measurement, long notBefore, Instant now) {
        String instance = measurement.instanceId().instance();
        if (measurement.to().isAfter(now.plus(settings.horizon()))) {
            return Optional.of(MeasurementDropReason.FUTURE);
        }
        if (late(measurement, notBefore)) {
            return Optional.of(MeasurementDropReason.LATE);
        }
        if (!byInstance.containsKey(instance) && byInstance.size() >= settings.bounds().instances()) {
            return Optional.of(MeasurementDropReason.INSTANCES_FULL);
        }
        Map<String, GaugeSeries> gauges = byInstance.computeIfAbsent(instance, address -> new HashMap<>());
        GaugeSeries series = gauges.get(measurement.name());
        if (series == null) {
            if (gauges.size() >= settings.bounds().gauges()) {
                return Optional.of(MeasurementDropReason.GAUGES_FULL);
            }
            series = new GaugeSeries(measurement.name());
            gauges.put(measurement.name(), series);
        }
        add(series, measurement, notBefore);
        return Optional.empty();
    }

    private boolean late(GaugeMeasurement measurement, long notBefore) {
        long tolerated = GaugeSeries.isOfTheWorst(measurement.name()) ? settings.horizon().toMillis() : 0;
        return measurement.to().plus(measurement.hold()).toEpochMilli() < notBefore - tolerated;
    }

    private static void add(GaugeSeries series, GaugeMeasurement measurement, long notBefore) {
        long heldUntil = measurement.to().plus(measurement.hold()).toEpochMilli();
        if (heldUntil < notBefore) {
            series.add(notBefore, notBefore, notBefore, measurement.value());
        } else {
            series.add(measurement.from().toEpochMilli(), measurement.to().toEpochMilli(), heldUntil,
                    measurement.value());
        }
    }

    /** Returns the values of an instance's gauges in a window, by name; unknown ones are absent. */
    Map<String, Double> in(String instance, long start, long end) {
        Map<String, Double> values = new HashMap<>();
        byInstance.getOrDefault(instance, Map.of())
                .forEach((name, series) -> series.in(start, end).ifPresent(value -> values.put(name, value)));
        return values;
    }

    /** Forgets what only windows before this start need, because those are closed. */
    void forgetBefore(long start) {
        byInstance.values().removeIf(gauges -> {
            gauges.values().removeIf(series -> !series.forgetBefore(start));
            return gauges.isEmpty();
        });
    }
}

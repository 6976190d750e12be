// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Combines the known series of one instance in one poll to measurements. */
final class MappedSeriesAggregator {

    private static final String ALL = "";

    private final Map<MappedGauge, TreeMap<String, GaugeGroup>> groups = new EnumMap<>(MappedGauge.class);

    /** Adds the reading of one series. */
    void add(SeriesBinding binding, MetricMapping mapping, PointDelta delta) {
        MappedGauge gauge = mapping.meaning();
        switch (delta) {
            case PointDelta.At at -> level(at, binding, mapping);
            case PointDelta.Grown grown when gauge.way() == MappedGauge.Way.MEAN ->
                group(gauge, binding.part()).calls(grown, binding.series().factor());
            case PointDelta.Grown grown when gauge.way() == MappedGauge.Way.COLLECTIONS ->
                group(gauge, binding.part()).collections(grown, binding.series().factor());
            case PointDelta.Grown grown -> group(gauge, binding.part()).value(grown.from(), grown.to(),
                    grown.rate() * binding.series().factor());
            case PointDelta.Nothing unused -> {
            }
            case PointDelta.Refused unused -> {
            }
        }
    }

    /**
     * Returns the measurements of this poll.
     *
     * @param all all known series of the instance: some have no point in this poll
     */
    List<GaugeMeasurement> measurements(Collection<SeriesBinding> all, InstanceId instanceId, Duration hold) {
        for (SeriesBinding binding : all) {
            complete(binding);
        }
        List<GaugeMeasurement> measured = new ArrayList<>();
        groups.forEach((meaning, parts) -> {
            if (meaning.way() == MappedGauge.Way.COLLECTIONS) {
                collections(parts, instanceId, hold, measured);
            } else {
                values(meaning, parts, instanceId, hold, measured);
            }
        });
        return measured;
    }

    private void level(PointDelta.At at, SeriesBinding binding, MetricMapping mapping) {
        switch (mapping.role()) {
            case VALUE -> group(mapping.meaning(), binding.part()).value(at.time(), at.time(), binding.level());
            case ZERO -> group(mapping.meaning(), binding.part()).value(at.time(), at.time(), 0);
            case BEGIN -> {
                double uptime = at.time().toEpochMilli() / 1e3 - binding.level();
                if (uptime >= 0) {
                    group(mapping.meaning(), binding.part()).value(at.time(), at.time(), uptime);
                }
            }
            case WHOLE, LARGEST -> {
            }
        }
    }

    private void complete(SeriesBinding binding) {
        binding.known().ifPresent(mapping -> {
            GaugeGroup group = groups.getOrDefault(mapping.meaning(), new TreeMap<>()).get(binding.part());
            if (group != null && mapping.role() == MetricMapping.Role.WHOLE && binding.level() > 0) {
                group.whole(binding.level());
            }
            if (group != null && mapping.role() == MetricMapping.Role.LARGEST && binding.rose()) {
                group.gcActivity().largest(binding.level());
            }
        });
    }

    private static void values(MappedGauge gauge, Map<String, GaugeGroup> parts, InstanceId instanceId, Duration hold,
            List<GaugeMeasurement> into) {
        MappedGauge.Way way = gauge.way();
        double max = Double.NEGATIVE_INFINITY;
        GaugeGroup all = new GaugeGroup();
        for (Map.Entry<String, GaugeGroup> part : parts.entrySet()) {
            double value = part.getValue().value(way);
            if (!part.getKey().equals(ALL)) {
                write(gauge.gauge() + "[" + part.getKey() + "]", value, part.getValue(), instanceId, hold, into);
            }
            max = Double.isFinite(value) ? Math.max(max, value) : max;
            all.add(part.getValue());
        }
        write(gauge.gauge(), way == MappedGauge.Way.RATIO ? max : all.value(way), all, instanceId, hold, into);
    }

    private static void collections(Map<String, GaugeGroup> parts, InstanceId instanceId, Duration hold,
            List<GaugeMeasurement> into) {
        GaugeGroup all = new GaugeGroup();
        parts.forEach((part, group) -> {
            if (!part.equals(ALL)) {
                collections("[" + part + "]", group, instanceId, hold, into);
            }
            all.add(group);
        });
        collections("", all, instanceId, hold, into);
    }

    private static void collections(String part, GaugeGroup group, InstanceId instanceId, Duration hold,
            List<GaugeMeasurement> into) {
        Instant from = group.from();
        Instant to = group.to();
        if (from == null || to == null || !to.isAfter(from)) {
            return;
        }
        double seconds = PointDelta.seconds(from, to);
        GcActivity gcActivity = group.gcActivity();
        write("gc.pause" + part, gcActivity.longest(), group, instanceId, Duration.ZERO, into);
        write("gc.time" + part, Math.min(1, gcActivity.seconds() / seconds), group, instanceId, hold, into);
        write("gc.rate" + part, gcActivity.count() / seconds, group, instanceId, hold, into);
    }

    private static void write(String name, double value, GaugeGroup group, InstanceId instanceId, Duration hold,
            List<GaugeMeasurement> into) {
        Instant from = group.from();
        Instant to = group.to();
        if (from != null && to != null && Double.isFinite(value)) {
            into.add(new GaugeMeasurement(instanceId, name, value, from, to, hold));
        }
    }

    private GaugeGroup group(MappedGauge gauge, String part) {
        return groups.computeIfAbsent(gauge, unused -> new TreeMap<>()).computeIfAbsent(part,
                unused -> new GaugeGroup());
    }
}

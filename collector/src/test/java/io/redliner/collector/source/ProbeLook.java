// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.ScheduledProbe.Probe;
import io.redliner.collector.windowing.GaugeMeasurement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One look of a probe.
 *
 * @param values by the names of their gauges, each of which is there once
 * @param reason why something is missing; empty when nothing is
 */
public record ProbeLook(Map<String, Double> values, String reason) {

    public static ProbeLook of(Probe probe, Instant now, Instant next) {
        try {
            return new ProbeLook(byName(probe.measure(now, next)), "");
        } catch (ProbeFailedException e) {
            return new ProbeLook(byName(e.measured()), String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, Double> byName(List<GaugeMeasurement> measured) {
        Map<String, Double> values = new TreeMap<>();
        measured.forEach(it -> assertThat(values.put(it.name(), it.value())).as(it.name()).isNull());
        return values;
    }
}

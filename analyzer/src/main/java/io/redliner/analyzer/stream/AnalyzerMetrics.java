// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.redliner.analyzer.run.Analysis;
import io.redliner.analyzer.window.Reception;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the analyzer counts:
 *
 * <ul>
 * <li>{@code redliner_observations_total{result}}: each observation received is in one result: accepted, late,
 * duplicate, early, other_length, malformed
 * <li>{@code redliner_observations_missing_total}: sent and not received, by the gaps in their sequences
 * <li>{@code redliner_analyzer_runs_total{result}}: each run record received: accepted, stale, malformed
 * <li>{@code redliner_windows_judged_total{judgement}}
 * <li>{@code redliner_sla_value{service,rule}} and {@code redliner_sla_threshold{service,rule}}: NaN without data, and
 * absent without a run
 * </ul>
 */
public final class AnalyzerMetrics {

    private record Key(String service, String rule, String name) {}

    private static final class Reading {
        private volatile double value = Double.NaN;
    }

    private final MeterRegistry registry;

    private final Map<Key, Reading> readings = new ConcurrentHashMap<>();

    /** Counts into this registry. */
    public AnalyzerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void received(Reception reception) {
        observation(reception.name().toLowerCase(Locale.ROOT));
    }

    void malformedObservation() {
        observation("malformed");
    }

    void missing(long observations) {
        registry.counter("redliner.observations.missing").increment((double) observations);
    }

    void run(String result) {
        registry.counter("redliner.analyzer.runs", "result", result).increment();
    }

    void judged(Analysis analysis) {
        registry.counter("redliner.windows.judged", "judgement",
                analysis.judged().judgement().name().toLowerCase(Locale.ROOT)).increment();
        String service = analysis.run().service();
        for (var outcome : analysis.judged().sla()) {
            show(new Key(service, outcome.rule().name(), "redliner.sla.value"), outcome.deciding().value());
            show(new Key(service, outcome.rule().name(), "redliner.sla.threshold"), outcome.deciding().threshold());
        }
    }

    void noRun(String service) {
        readings.keySet().removeIf(key -> {
            boolean ofService = key.service().equals(service);
            if (ofService) {
                registry.find(key.name()).tags("service", key.service(), "rule", key.rule()).gauges()
                        .forEach(registry::remove);
            }
            return ofService;
        });
    }

    private void observation(String result) {
        registry.counter("redliner.observations", "result", result).increment();
    }

    private void show(Key key, OptionalDouble value) {
        readings.computeIfAbsent(key, this::register).value = value.orElse(Double.NaN);
    }

    private Reading register(Key key) {
        var reading = new Reading();
        Gauge.builder(key.name(), reading, it -> it.value)
                .tags(Tags.of("service", key.service(), "rule", key.rule())).strongReference(true).register(registry);
        return reading;
    }
}

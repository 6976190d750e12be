// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.run.RuleResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of a live run's SLA: the value and the threshold of each rule in the newest window, in the rule's own unit. A gauge
 * is NaN when the window has no such value.
 */
final class RuleGauges {

    private final MeterRegistry meters;

    private final Map<Key, RuleValues> rules = new ConcurrentHashMap<>();

    RuleGauges(MeterRegistry meters) {
        this.meters = meters;
    }

    private record Key(String service, String rule) {}

    /** Sets the gauges of a service to the results of its newest window. */
    synchronized void update(String service, List<RuleResult> results) {
        for (RuleResult result : results) {
            RuleValues values = rules.computeIfAbsent(new Key(service, result.name()), this::register);
            values.value = orNaN(result.value());
            values.threshold = orNaN(result.threshold());
        }
    }

    /** Removes the gauges of a service after its run, because the next run may have other rules. */
    synchronized void remove(String service) {
        rules.forEach((key, values) -> {
            if (key.service().equals(service) && rules.remove(key, values)) {
                values.gauges.forEach(meters::remove);
            }
        });
    }

    private RuleValues register(Key key) {
        RuleValues values = new RuleValues();
        values.gauges.add(Gauge.builder("redliner.sla.value", values, now -> now.value)
                .tag("service", key.service())
                .tag("rule", key.rule())
                .register(meters));
        values.gauges.add(Gauge.builder("redliner.sla.threshold", values, now -> now.threshold)
                .tag("service", key.service())
                .tag("rule", key.rule())
                .register(meters));
        return values;
    }

    private static double orNaN(@Nullable Double number) {
        return number == null ? Double.NaN : number;
    }

    private static final class RuleValues {

        private volatile double value = Double.NaN;

        private volatile double threshold = Double.NaN;

        private final List<Gauge> gauges = new CopyOnWriteArrayList<>();
    }
}

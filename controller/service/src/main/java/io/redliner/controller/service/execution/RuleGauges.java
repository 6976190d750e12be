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
 * The value and the threshold of each rule of the SLA of the run that is live, in the rule's own unit; not a number where the
 * newest window says nothing.
 */
final class RuleGauges {

    private final MeterRegistry meters;

    private final Map<Key, Seen> rules = new ConcurrentHashMap<>();

    RuleGauges(MeterRegistry meters) {
        this.meters = meters;
    }

    private record Key(String service, String rule) {}

    synchronized void judged(String service, List<RuleResult> results) {
        for (RuleResult result : results) {
            Seen seen = rules.computeIfAbsent(new Key(service, result.name()), this::register);
            seen.value = orNothing(result.value());
            seen.threshold = orNothing(result.threshold());
        }
    }

    /** The run is over; the next one may have other rules. */
    synchronized void over(String service) {
        rules.forEach((key, seen) -> {
            if (key.service().equals(service) && rules.remove(key, seen)) {
                seen.gauges.forEach(meters::remove);
            }
        });
    }

    private Seen register(Key key) {
        Seen seen = new Seen();
        seen.gauges.add(Gauge.builder("redliner.sla.value", seen, now -> now.value)
                .tag("service", key.service())
                .tag("rule", key.rule())
                .register(meters));
        seen.gauges.add(Gauge.builder("redliner.sla.threshold", seen, now -> now.threshold)
                .tag("service", key.service())
                .tag("rule", key.rule())
                .register(meters));
        return seen;
    }

    private static double orNothing(@Nullable Double number) {
        return number == null ? Double.NaN : number;
    }

    private static final class Seen {

        private volatile double value = Double.NaN;

        private volatile double threshold = Double.NaN;

        private final List<Gauge> gauges = new CopyOnWriteArrayList<>();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.redliner.collector.kafka.ObservationLedger.Loss;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where every observation went. */
final class ObservationMetrics implements MeterBinder {

    private final ObservationLedger ledger;

    private final ObservationPublisher publisher;

    ObservationMetrics(ObservationLedger ledger, ObservationPublisher publisher) {
        this.ledger = ledger;
        this.publisher = publisher;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "made", ObservationLedger::made);
        count(registry, "published", ObservationLedger::published);
        for (Loss loss : Loss.values()) {
            count(registry, "dropped_" + loss.name().toLowerCase(Locale.ROOT), all -> all.dropped(loss));
        }
        Gauge.builder("redliner.observations.buffered", publisher, ObservationPublisher::buffered)
                .description("Observations that are neither published nor dropped yet").register(registry);
    }

    private void count(MeterRegistry registry, String result, ToDoubleFunction<ObservationLedger> count) {
        FunctionCounter.builder("redliner.observations", ledger, count).tag("result", result)
                .description("Observations, by where they went").register(registry);
    }
}

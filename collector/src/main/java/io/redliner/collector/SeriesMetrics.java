// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.metrics.PointDropReason;
import io.redliner.collector.metrics.SeriesLedger;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where every point of the services' metrics went. */
final class SeriesMetrics implements MeterBinder {

    private final List<MetricTranslator> translators;

    SeriesMetrics(List<MetricTranslator> translators) {
        this.translators = translators;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (MetricTranslator translator : translators) {
            points(registry, translator, "used", SeriesLedger::used);
            for (PointDropReason reason : PointDropReason.values()) {
                points(registry, translator, "dropped_" + reason.name().toLowerCase(Locale.ROOT),
                        ledger -> ledger.dropped(reason));
            }
            FunctionCounter.builder("redliner.series.resets", translator.ledger(), SeriesLedger::resets)
                    .tag("source", translator.name()).description("Counters and histograms that began anew")
                    .register(registry);
            FunctionCounter.builder("redliner.series.rebuilt", translator.ledger(), SeriesLedger::rebuilt)
                    .tag("source", translator.name()).description("Histograms that changed their buckets")
                    .register(registry);
            Gauge.builder("redliner.series", translator, MetricTranslator::series).tag("source", translator.name())
                    .description("Series that something is kept of").register(registry);
        }
    }

    private static void points(MeterRegistry registry, MetricTranslator translator, String result,
            ToDoubleFunction<SeriesLedger> count) {
        FunctionCounter.builder("redliner.series.points", translator.ledger(), count)
                .tag("source", translator.name()).tag("result", result)
                .description("Points of services' metrics, by where they went").register(registry);
    }
}

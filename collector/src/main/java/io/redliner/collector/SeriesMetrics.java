// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.redliner.collector.series.DropReason;
import io.redliner.collector.series.SeriesLedger;
import io.redliner.collector.series.Translator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where every point of the services' metrics went. */
final class SeriesMetrics implements MeterBinder {

    private final List<Translator> translators;

    SeriesMetrics(List<Translator> translators) {
        this.translators = translators;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Translator translator : translators) {
            points(registry, translator, "used", SeriesLedger::used);
            for (DropReason reason : DropReason.values()) {
                points(registry, translator, "dropped_" + reason.name().toLowerCase(Locale.ROOT),
                        ledger -> ledger.dropped(reason));
            }
            FunctionCounter.builder("redliner.series.resets", translator.ledger(), SeriesLedger::resets)
                    .tag("source", translator.name()).description("Counters and histograms that began anew")
                    .register(registry);
            FunctionCounter.builder("redliner.series.rebuilt", translator.ledger(), SeriesLedger::rebuilt)
                    .tag("source", translator.name()).description("Histograms that changed their buckets")
                    .register(registry);
            Gauge.builder("redliner.series", translator, Translator::series).tag("source", translator.name())
                    .description("Series that something is kept of").register(registry);
        }
    }

    private static void points(MeterRegistry registry, Translator translator, String result,
            ToDoubleFunction<SeriesLedger> count) {
        FunctionCounter.builder("redliner.series.points", translator.ledger(), count)
                .tag("source", translator.name()).tag("result", result)
                .description("Points of services' metrics, by where they went").register(registry);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.redliner.collector.windowing.MeasurementDropReason;
import io.redliner.collector.windowing.MeasurementLedger;
import io.redliner.collector.windowing.WindowAggregator;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where every measurement went. */
final class MeasurementMetrics implements MeterBinder {

    private final WindowAggregator windows;

    MeasurementMetrics(WindowAggregator windows) {
        this.windows = windows;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "received", MeasurementLedger::received);
        count(registry, "kept", MeasurementLedger::kept);
        for (MeasurementDropReason reason : MeasurementDropReason.values()) {
            count(registry, "dropped_" + reason.name().toLowerCase(Locale.ROOT), ledger -> ledger.dropped(reason));
        }
    }

    private void count(MeterRegistry registry, String result, ToDoubleFunction<MeasurementLedger> count) {
        FunctionCounter.builder("redliner.measurements", windows.measurementLedger(), count).tag("result", result)
                .description("Measurements of instances, by where they went").register(registry);
    }
}

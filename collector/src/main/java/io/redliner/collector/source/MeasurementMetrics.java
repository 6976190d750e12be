// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.redliner.collector.window.MeasurementDrop;
import io.redliner.collector.window.MeasurementLedger;
import io.redliner.collector.window.Windows;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where every measurement went. */
final class MeasurementMetrics implements MeterBinder {

    private final Windows windows;

    MeasurementMetrics(Windows windows) {
        this.windows = windows;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "received", MeasurementLedger::received);
        count(registry, "kept", MeasurementLedger::kept);
        for (MeasurementDrop reason : MeasurementDrop.values()) {
            count(registry, "dropped_" + reason.name().toLowerCase(Locale.ROOT), ledger -> ledger.dropped(reason));
        }
    }

    private void count(MeterRegistry registry, String result, ToDoubleFunction<MeasurementLedger> count) {
        FunctionCounter.builder("redliner.measurements", windows.measurementLedger(), count).tag("result", result)
                .description("Measurements of instances, by where they went").register(registry);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.run;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** What became of the records of the runs topic. */
final class RunMetrics implements MeterBinder {

    private final RunSpecs runs;

    RunMetrics(RunSpecs runs) {
        this.runs = runs;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "applied", RunSpecs::applied);
        count(registry, "stale", RunSpecs::stale);
        count(registry, "malformed", RunSpecs::malformed);
    }

    private void count(MeterRegistry registry, String result, ToDoubleFunction<RunSpecs> count) {
        FunctionCounter.builder("redliner.collector.runs", runs, count).tag("result", result)
                .description("Records of the runs topic, by what became of them").register(registry);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** What became of the records of the runs and the lease status topic. */
final class RunMetrics implements MeterBinder {

    private final RunSpecHandler runs;

    private final LeaseStatusHandler statuses;

    RunMetrics(RunSpecHandler runs, LeaseStatusHandler statuses) {
        this.runs = runs;
        this.statuses = statuses;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "applied", RunSpecHandler::applied);
        count(registry, "stale", RunSpecHandler::stale);
        count(registry, "malformed", RunSpecHandler::malformed);
        FunctionCounter.builder("redliner.collector.lease.status.malformed", statuses, LeaseStatusHandler::malformed)
                .description("Records of the lease status topic that are not to be understood").register(registry);
    }

    private void count(MeterRegistry registry, String result, ToDoubleFunction<RunSpecHandler> count) {
        FunctionCounter.builder("redliner.collector.runs", runs, count).tag("result", result)
                .description("Records of the runs topic, by what became of them").register(registry);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Where every point that was pushed went. */
final class OtlpMetrics implements MeterBinder {

    private final OtlpLedger ledger;

    OtlpMetrics(OtlpLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        points(registry, "received", OtlpLedger::received);
        points(registry, "handed_on", OtlpLedger::handedOn);
        points(registry, "without_value", OtlpLedger::withoutValue);
        for (PointRejectionReason refusal : PointRejectionReason.values()) {
            points(registry, "refused_" + refusal.label(), all -> all.refused(refusal));
        }
        messages(registry, "read", OtlpLedger::messages);
        messages(registry, "broken", OtlpLedger::brokenMessages);
    }

    private void points(MeterRegistry registry, String result, ToDoubleFunction<OtlpLedger> count) {
        FunctionCounter.builder("redliner.otlp.points", ledger, count).tag("result", result)
                .description("Points of pushed metrics, by where they went").register(registry);
    }

    private void messages(MeterRegistry registry, String result, ToDoubleFunction<OtlpLedger> count) {
        FunctionCounter.builder("redliner.otlp.messages", ledger, count).tag("result", result)
                .description("Messages with pushed metrics").register(registry);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where every question to an instance, and every sample of the answers, went. */
final class ScrapeMetrics implements MeterBinder {

    private final ScrapeLedger ledger;

    ScrapeMetrics(ScrapeLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "redliner.scrape.looks", "asked", ScrapeLedger::asked);
        count(registry, "redliner.scrape.looks", "answered", ScrapeLedger::answered);
        for (ScrapeFailureReason reason : ScrapeFailureReason.values()) {
            count(registry, "redliner.scrape.looks", "failed_" + reason.name().toLowerCase(Locale.ROOT),
                    all -> all.failed(reason));
        }
        count(registry, "redliner.scrape.samples", "read", ScrapeLedger::samples);
        count(registry, "redliner.scrape.samples", "cut", ScrapeLedger::cut);
        count(registry, "redliner.scrape.samples", "ignored", ScrapeLedger::ignored);
    }

    private void count(MeterRegistry registry, String name, String result, ToDoubleFunction<ScrapeLedger> count) {
        FunctionCounter.builder(name, ledger, count).tag("result", result).register(registry);
    }
}

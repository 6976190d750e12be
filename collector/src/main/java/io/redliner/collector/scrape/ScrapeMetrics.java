// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import io.redliner.collector.windowing.ReasonCounters;

/** Counters of scrapes and of samples. Scrapes sent = answered + failed (over all reasons) + in flight. */
public final class ScrapeMetrics {

    private static final String SCRAPES = "redliner.scrape.looks";

    private static final String SAMPLES = "redliner.scrape.samples";

    private final Counter scrapes;

    private final Counter answered;

    private final ReasonCounters<RequestFailureReason> failedByReason;

    private final Counter samples;

    private final Counter cut;

    private final Counter ignored;

    /** Registers all counters, at 0. */
    public ScrapeMetrics(MeterRegistry registry) {
        scrapes = ReasonCounters.successes(registry, SCRAPES, "asked");
        answered = ReasonCounters.successes(registry, SCRAPES, "answered");
        failedByReason = new ReasonCounters<>(registry, SCRAPES, "failed", RequestFailureReason.class);
        samples = registry.counter(SAMPLES, "result", "read");
        cut = registry.counter(SAMPLES, "result", "cut");
        ignored = registry.counter(SAMPLES, "result", "ignored");
    }

    void countScrape() {
        scrapes.increment();
    }

    void answer(ScrapeResult result) {
        answered.increment();
        samples.increment((double) result.samples());
        cut.increment((double) result.cut());
        ignored.increment((double) result.ignored());
    }

    void fail(RequestFailureReason reason) {
        failedByReason.add(reason, 1);
    }

    long scrapes() {
        return (long) scrapes.count();
    }

    long answered() {
        return (long) answered.count();
    }

    long failed(RequestFailureReason reason) {
        return failedByReason.get(reason);
    }

    /** Samples beyond max-series. */
    long cut() {
        return (long) cut.count();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.windowing.EnumCounters;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was asked and what came of it: asked = answered + failed, all reasons together, + under way. */
final class ScrapeLedger {

    private final LongAdder asked = new LongAdder();

    private final LongAdder answered = new LongAdder();

    private final EnumCounters<ScrapeFailureReason> failed = new EnumCounters<>(ScrapeFailureReason.class);

    private final LongAdder samples = new LongAdder();

    private final LongAdder cut = new LongAdder();

    private final LongAdder ignored = new LongAdder();

    void ask() {
        asked.increment();
    }

    void answer(ScrapeResult harvest) {
        answered.increment();
        samples.add(harvest.samples());
        cut.add(harvest.cut());
        ignored.add(harvest.ignored());
    }

    void fail(ScrapeFailureReason reason) {
        failed.add(reason, 1);
    }

    long asked() {
        return asked.sum();
    }

    long answered() {
        return answered.sum();
    }

    long failed(ScrapeFailureReason reason) {
        return failed.get(reason);
    }

    /** Samples that were read, from answers that were read to their end. */
    long samples() {
        return samples.sum();
    }

    /** Samples beyond max-series. */
    long cut() {
        return cut.sum();
    }

    /** Of those that were read: what is no measurement. */
    long ignored() {
        return ignored.sum();
    }
}

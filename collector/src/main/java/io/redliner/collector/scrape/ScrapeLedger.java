// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was asked and what came of it: asked = answered + failed, all reasons together, + under way. */
final class ScrapeLedger {

    private final LongAdder asked = new LongAdder();

    private final LongAdder answered = new LongAdder();

    private final Map<FailureReason, LongAdder> failed = new EnumMap<>(FailureReason.class);

    private final LongAdder samples = new LongAdder();

    private final LongAdder cut = new LongAdder();

    private final LongAdder ignored = new LongAdder();

    ScrapeLedger() {
        for (FailureReason reason : FailureReason.values()) {
            failed.put(reason, new LongAdder());
        }
    }

    void ask() {
        asked.increment();
    }

    void answer(Harvest harvest) {
        answered.increment();
        samples.add(harvest.samples());
        cut.add(harvest.cut());
        ignored.add(harvest.ignored());
    }

    void fail(FailureReason reason) {
        of(reason).increment();
    }

    long asked() {
        return asked.sum();
    }

    long answered() {
        return answered.sum();
    }

    long failed(FailureReason reason) {
        return of(reason).sum();
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

    private LongAdder of(FailureReason reason) {
        LongAdder count = failed.get(reason);
        if (count == null) {
            throw new IllegalStateException("all reasons are counted from the begin; not " + reason);
        }
        return count;
    }
}

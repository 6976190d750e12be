// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.windowing.EnumCounters;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the points of all messages: received = handed on + without a value + refused, all reasons together. What is handed
 * on is counted further as {@code redliner.series.points}.
 */
final class OtlpLedger {

    private final LongAdder messages = new LongAdder();

    private final LongAdder brokenMessages = new LongAdder();

    private final LongAdder received = new LongAdder();

    private final LongAdder handedOn = new LongAdder();

    private final LongAdder withoutValue = new LongAdder();

    private final EnumCounters<PointRejectionReason> refused = new EnumCounters<>(PointRejectionReason.class);

    /** Of a whole message. */
    void add(PartialSuccess message) {
        messages.increment();
        received.add(message.points());
        handedOn.add(message.handedOn());
        withoutValue.add(message.withoutValue());
        message.refused().forEach(refused::add);
    }

    /** One that was too large or no OTLP. */
    void addBrokenMessage() {
        brokenMessages.increment();
    }

    long messages() {
        return messages.sum();
    }

    long brokenMessages() {
        return brokenMessages.sum();
    }

    long received() {
        return received.sum();
    }

    long handedOn() {
        return handedOn.sum();
    }

    long withoutValue() {
        return withoutValue.sum();
    }

    long refused(PointRejectionReason refusal) {
        return refused.get(refusal);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import java.util.EnumMap;
import java.util.Map;
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

    private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);

    OtlpLedger() {
        for (Refusal refusal : Refusal.values()) {
            refused.put(refusal, new LongAdder());
        }
    }

    /** Of a whole message. */
    void add(Received message) {
        messages.increment();
        received.add(message.points());
        handedOn.add(message.handedOn());
        withoutValue.add(message.withoutValue());
        message.refused().forEach((refusal, points) -> of(refusal).add(points));
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

    long refused(Refusal refusal) {
        return of(refusal).sum();
    }

    private LongAdder of(Refusal refusal) {
        LongAdder count = refused.get(refusal);
        if (count == null) {
            throw new IllegalStateException("all reasons are counted from the begin; not " + refusal);
        }
        return count;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import java.util.EnumMap;
import java.util.Map;

/** What became of the points of one message. For one thread. */
final class Received {

    private long handedOn;

    private long withoutValue;

    private final Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);

    void handOn() {
        handedOn++;
    }

    /** One that says that its series has no value any more. */
    void skip() {
        withoutValue++;
    }

    void refuse(Refusal refusal, long points) {
        if (points > 0) {
            refused.merge(refusal, points, Long::sum);
        }
    }

    void add(Received other) {
        handedOn += other.handedOn;
        withoutValue += other.withoutValue;
        other.refused.forEach(this::refuse);
    }

    long points() {
        return handedOn + withoutValue + refusedPoints();
    }

    long handedOn() {
        return handedOn;
    }

    long withoutValue() {
        return withoutValue;
    }

    Map<Refusal, Long> refused() {
        return refused;
    }

    long refusedPoints() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }

    /** For the sender. */
    String refusedWords() {
        StringBuilder words = new StringBuilder();
        refused.forEach((refusal, points) -> words.append(words.isEmpty() ? "" : ", ").append(points)
                .append(" points ").append(refusal.words()));
        return words.toString();
    }
}

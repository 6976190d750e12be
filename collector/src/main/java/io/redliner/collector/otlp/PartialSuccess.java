// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;
import java.util.EnumMap;
import java.util.Map;

/** Counts of the points of one message: handed on, without a value, and refused. For one thread. */
final class PartialSuccess {

    private long handedOn;

    private long withoutValue;

    private final Map<PointRejectionReason, Long> refused = new EnumMap<>(PointRejectionReason.class);

    void handOn() {
        handedOn++;
    }

    /** Counts a point that marks the end of its series and has no value. */
    void skip() {
        withoutValue++;
    }

    void refuse(PointRejectionReason reason, long points) {
        if (points > 0) {
            refused.merge(reason, points, Long::sum);
        }
    }

    void add(PartialSuccess other) {
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

    Map<PointRejectionReason, Long> refused() {
        return refused;
    }

    long refusedPoints() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Describes the refused points for the sender. */
    String describe() {
        StringBuilder text = new StringBuilder();
        refused.forEach((reason, points) -> text.append(text.isEmpty() ? "" : ", ").append(points)
                .append(" points ").append(reason.message()));
        return text.toString();
    }
}

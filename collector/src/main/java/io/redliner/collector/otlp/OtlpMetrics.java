// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.ReasonCounters;

/**
 * Counters of the points of all messages: received = handed on + without a value + refused, all reasons together. Points that are
 * handed on are counted further as {@code redliner.series.points}.
 */
final class OtlpMetrics {

    private static final String POINTS = "redliner.otlp.points";

    private static final String MESSAGES = "redliner.otlp.messages";

    private final Counter messages;

    private final Counter brokenMessages;

    private final Counter received;

    private final Counter handedOn;

    private final Counter withoutValue;

    private final ReasonCounters<PointRejectionReason> refusedByReason;

    OtlpMetrics(MeterRegistry registry) {
        messages = registry.counter(MESSAGES, "result", "read");
        brokenMessages = registry.counter(MESSAGES, "result", "broken");
        received = ReasonCounters.successes(registry, POINTS, "received");
        handedOn = ReasonCounters.successes(registry, POINTS, "handed_on");
        withoutValue = ReasonCounters.successes(registry, POINTS, "without_value");
        refusedByReason = new ReasonCounters<>(registry, POINTS, "refused", PointRejectionReason.class);
    }

    /** Counts a whole message. */
    void add(PartialSuccess partialSuccess) {
        messages.increment();
        received.increment((double) partialSuccess.points());
        handedOn.increment((double) partialSuccess.handedOn());
        withoutValue.increment((double) partialSuccess.withoutValue());
        partialSuccess.refused().forEach(refusedByReason::add);
    }

    /** Counts a message that was too large or no OTLP. */
    void addBrokenMessage() {
        brokenMessages.increment();
    }

    long messages() {
        return (long) messages.count();
    }

    long brokenMessages() {
        return (long) brokenMessages.count();
    }

    long received() {
        return (long) received.count();
    }

    long handedOn() {
        return (long) handedOn.count();
    }

    long withoutValue() {
        return (long) withoutValue.count();
    }

    long refused(PointRejectionReason reason) {
        return refusedByReason.get(reason);
    }

    /** Reasons why a point of a message is not handed on. */
    enum PointRejectionReason {
        /** Its instance is not known. */
        UNKNOWN_INSTANCE("of an unknown instance"),
        /** Its metric has no name. */
        NO_NAME("without a name"),
        /** The attributes are more than any series has, or their values are nested. */
        ATTRIBUTES("with too many or too deep attributes"),
        /** The temporality is neither cumulative nor delta, or it is the delta of a sum that can fall, whose level is unknown. */
        TEMPORALITY("whose temporality is of no use"),
        /** Its buckets contradict themselves. */
        BUCKETS("with impossible buckets"),
        /** This version does not know the kind of metric or value. */
        UNKNOWN_KIND("of an unknown kind"),
        /** The time is outside of what a clock can show. */
        TIME("with an impossible time");

        private final String message;

        PointRejectionReason(String message) {
            this.message = message;
        }

        /** Returns the words that follow "points" in a message. */
        String message() {
            return message;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.state.EncodedVerdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Verdicts on their way. One goes out only when the state that contains it is safe on the broker, so that nobody who
 * takes over can come to another verdict on the same window; and it stays in the states that are stored until it is
 * known to have arrived itself, so that nobody who takes over leaves it out. For one thread.
 */
final class VerdictPublisher {

    private static final class Entry {

        private final EncodedVerdict said;

        /** Must have arrived before this goes out, and then, this itself. */
        private long ticket;

        private boolean published;

        Entry(EncodedVerdict said, long ticket) {
            this.said = said;
            this.ticket = ticket;
        }
    }

    private final ProducerAckTracker acknowledgements;

    private final String stateLane;

    private final String topic;

    private final Consumer<EncodedVerdict> publisher;

    private final Deque<Entry> waiting = new ArrayDeque<>();

    /** By service, oldest first. */
    private final Map<String, Deque<Entry>> unconfirmed = new HashMap<>();

    /**
     * An empty one.
     *
     * @param stateLane of the states that contain the verdicts
     * @param topic of the verdicts
     */
    VerdictPublisher(ProducerAckTracker acknowledgements, String stateLane, String topic,
            Consumer<EncodedVerdict> publisher) {
        this.acknowledgements = acknowledgements;
        this.stateLane = stateLane;
        this.topic = topic;
        this.publisher = publisher;
    }

    /** Every state that was sent so far must arrive before these go out. */
    void add(List<EncodedVerdict> said) {
        for (var it : said) {
            var entry = new Entry(it, acknowledgements.sent());
            waiting.add(entry);
            unconfirmed.computeIfAbsent(it.service(), unused -> new ArrayDeque<>()).add(entry);
        }
    }

    /** Whether nothing waits to go out. */
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Sends out what may go. */
    void release() {
        if (waiting.isEmpty()) {
            return;
        }
        long safe = acknowledgements.arrived(stateLane);
        while (!waiting.isEmpty() && waiting.element().ticket <= safe) {
            var entry = waiting.remove();
            publisher.accept(entry.said);
            entry.ticket = acknowledgements.sent();
            entry.published = true;
        }
    }

    /** What has not surely arrived of a service, oldest first. */
    List<EncodedVerdict> unconfirmed(String service) {
        var entries = unconfirmed.get(service);
        if (entries == null) {
            return List.of();
        }
        forgetArrived(service, entries);
        return entries.stream().map(entry -> entry.said).toList();
    }

    /** What has arrived need not be remembered. */
    void forgetArrived() {
        unconfirmed.entrySet().removeIf(service -> {
            forgetArrived(service.getKey(), service.getValue());
            return service.getValue().isEmpty();
        });
    }

    private void forgetArrived(String service, Deque<Entry> entries) {
        long arrived = acknowledgements.arrived(ProducerAckTracker.lane(topic, service));
        while (!entries.isEmpty() && entries.element().published && entries.element().ticket <= arrived) {
            entries.remove();
        }
    }
}

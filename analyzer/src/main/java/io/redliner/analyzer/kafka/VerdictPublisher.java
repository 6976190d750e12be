// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.contract.v1.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Publishes verdicts in two steps. A verdict is sent only when the broker has acknowledged the state that contains it, so that a
 * takeover cannot decide the same window differently. It stays in the stored states until the broker has acknowledged the verdict
 * itself, so that a takeover does not leave it out. For one thread.
 */
final class VerdictPublisher {

    private static final class Entry {

        private final Verdict verdict;

        /** Before the verdict is sent: the last state that must be acknowledged; afterwards, the verdict itself. */
        private long ticket;

        private boolean published;

        Entry(Verdict verdict, long ticket) {
            this.verdict = verdict;
            this.ticket = ticket;
        }
    }

    private final ProducerAckTracker ackTracker;

    private final String stateLane;

    private final String topic;

    private final Consumer<Verdict> publisher;

    private final Deque<Entry> waiting = new ArrayDeque<>();

    /** Verdicts that are not acknowledged, by service, oldest first. */
    private final Map<String, Deque<Entry>> unconfirmed = new HashMap<>();

    /**
     * Creates a publisher without pending verdicts.
     *
     * @param stateLane of the states that contain the verdicts
     * @param topic of the verdicts
     */
    VerdictPublisher(ProducerAckTracker ackTracker, String stateLane, String topic,
            Consumer<Verdict> publisher) {
        this.ackTracker = ackTracker;
        this.stateLane = stateLane;
        this.topic = topic;
        this.publisher = publisher;
    }

    /** Adds verdicts; they are sent when every state sent so far is acknowledged. */
    void add(List<Verdict> verdicts) {
        for (var verdict : verdicts) {
            var entry = new Entry(verdict, ackTracker.sent());
            waiting.add(entry);
            unconfirmed.computeIfAbsent(verdict.getService(), unused -> new ArrayDeque<>()).add(entry);
        }
    }

    /** Returns true when no verdict waits to be sent. */
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Sends the verdicts whose states are acknowledged. */
    void release() {
        if (waiting.isEmpty()) {
            return;
        }
        long safe = ackTracker.arrived(stateLane);
        while (!waiting.isEmpty() && waiting.element().ticket <= safe) {
            var entry = waiting.remove();
            publisher.accept(entry.verdict);
            entry.ticket = ackTracker.sent();
            entry.published = true;
        }
    }

    /** Returns a service's verdicts that are not acknowledged yet, oldest first. */
    List<Verdict> unconfirmed(String service) {
        var entries = unconfirmed.get(service);
        if (entries == null) {
            return List.of();
        }
        forgetArrived(service, entries);
        return entries.stream().map(entry -> entry.verdict).toList();
    }

    /** Forgets acknowledged verdicts. */
    void forgetArrived() {
        unconfirmed.entrySet().removeIf(service -> {
            forgetArrived(service.getKey(), service.getValue());
            return service.getValue().isEmpty();
        });
    }

    private void forgetArrived(String service, Deque<Entry> entries) {
        long arrived = ackTracker.arrived(ProducerAckTracker.lane(topic, service));
        while (!entries.isEmpty() && entries.element().published && entries.element().ticket <= arrived) {
            entries.remove();
        }
    }
}

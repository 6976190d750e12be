// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.messaging;

import io.redliner.contract.v1.Observation;
import java.util.ArrayDeque;
import java.util.Deque;

/** Observations that wait for Kafka; when there are too many, the oldest go: the newest say how things are now. */
final class ObservationBuffer {

    private final int capacity;

    private final ObservationLedger ledger;

    private final Deque<Observation> waiting = new ArrayDeque<>();

    private boolean closed;

    ObservationBuffer(int capacity, ObservationLedger ledger) {
        this.capacity = capacity;
        this.ledger = ledger;
    }

    synchronized void add(Observation observation) {
        ledger.make();
        if (closed) {
            ledger.drop(ObservationLedger.Loss.STOPPED, 1);
            return;
        }
        if (waiting.size() >= capacity) {
            waiting.removeFirst();
            ledger.drop(ObservationLedger.Loss.BUFFER_FULL, 1);
        }
        waiting.addLast(observation);
        notifyAll();
    }

    /** The oldest one; waits until there is one. */
    synchronized Observation take() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        return waiting.removeFirst();
    }

    synchronized int size() {
        return waiting.size();
    }

    synchronized void close() {
        closed = true;
        ledger.drop(ObservationLedger.Loss.STOPPED, waiting.size());
        waiting.clear();
    }
}

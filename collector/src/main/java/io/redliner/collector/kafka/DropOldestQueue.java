// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.contract.v1.Observation;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Observations on their way to Kafka. When too many wait, the oldest go: the newest say how things are now. Only a limited
 * number may be under way at once, so that it is this buffer that fills when Kafka is away.
 */
final class DropOldestQueue {

    private final int capacity;

    private final int maxUnderWay;

    private final ObservationLedger ledger;

    private final Deque<Observation> waiting = new ArrayDeque<>();

    private int underWay;

    private boolean closed;

    DropOldestQueue(int capacity, int maxUnderWay, ObservationLedger ledger) {
        this.capacity = capacity;
        this.maxUnderWay = maxUnderWay;
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

    /** The oldest one, which is under way from now on; waits until there is one and it may go. */
    synchronized Observation take() throws InterruptedException {
        while (waiting.isEmpty() || underWay >= maxUnderWay) {
            wait();
        }
        underWay++;
        return waiting.removeFirst();
    }

    /** One that was under way has been published. */
    synchronized void published() {
        underWay--;
        ledger.publish();
        notifyAll();
    }

    /** One that was under way never will be published. */
    synchronized void lost(ObservationLedger.Loss loss) {
        underWay--;
        ledger.drop(loss, 1);
        notifyAll();
    }

    /** Those that are neither published nor dropped. */
    synchronized int size() {
        return waiting.size() + underWay;
    }

    synchronized void close() {
        closed = true;
        ledger.drop(ObservationLedger.Loss.STOPPED, waiting.size());
        waiting.clear();
    }
}

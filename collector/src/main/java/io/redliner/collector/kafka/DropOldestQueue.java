// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.contract.v1.Observation;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Observations on their way to Kafka. When too many wait, the oldest are dropped, because the newest describe the present. Only a
 * limited number may be under way at once, so that this buffer fills, and not the Kafka client's, when Kafka is away.
 */
final class DropOldestQueue {

    private final int capacity;

    private final int maxUnderWay;

    private final ObservationMetrics metrics;

    private final Deque<Observation> waiting = new ArrayDeque<>();

    private int underWay;

    private boolean closed;

    DropOldestQueue(int capacity, int maxUnderWay, ObservationMetrics metrics) {
        this.capacity = capacity;
        this.maxUnderWay = maxUnderWay;
        this.metrics = metrics;
    }

    synchronized void add(Observation observation) {
        metrics.make();
        if (closed) {
            metrics.drop(ObservationMetrics.Loss.STOPPED, 1);
            return;
        }
        if (waiting.size() >= capacity) {
            waiting.removeFirst();
            metrics.drop(ObservationMetrics.Loss.BUFFER_FULL, 1);
        }
        waiting.addLast(observation);
        notifyAll();
    }

    /** Takes the oldest observation, which is under way from now on. Waits until there is one and it may go. */
    synchronized Observation take() throws InterruptedException {
        while (waiting.isEmpty() || underWay >= maxUnderWay) {
            wait();
        }
        underWay++;
        return waiting.removeFirst();
    }

    /** Notes that an observation under way has been published. */
    synchronized void published() {
        underWay--;
        metrics.publish();
        notifyAll();
    }

    /** Notes that an observation under way will never be published. */
    synchronized void lost(ObservationMetrics.Loss loss) {
        underWay--;
        metrics.drop(loss, 1);
        notifyAll();
    }

    /** Returns the number of observations that are neither published nor dropped. */
    synchronized int size() {
        return waiting.size() + underWay;
    }

    synchronized void close() {
        closed = true;
        metrics.drop(ObservationMetrics.Loss.STOPPED, waiting.size());
        waiting.clear();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** Which of the records that a process sent are safe on the broker. For many threads. */
final class Acknowledgements {

    private final AtomicLong sent = new AtomicLong();

    private final ConcurrentSkipListSet<Long> pending = new ConcurrentSkipListSet<>();

    /** A record is about to be sent; its number. */
    long send() {
        // Pending before it is counted, so that arrived() never passes it by.
        synchronized (pending) {
            long ticket = sent.get() + 1;
            pending.add(ticket);
            sent.set(ticket);
            return ticket;
        }
    }

    /** Nothing is awaited for it any more. */
    void settled(long ticket) {
        pending.remove(ticket);
    }

    /** The number of the last record that was sent. */
    long sent() {
        return sent.get();
    }

    /**
     * All records up to this number have arrived, or one failed; then Kafka Streams lets the task send nothing more.
     */
    long arrived() {
        long counted = sent.get();
        try {
            return Math.min(counted, pending.first() - 1);
        } catch (NoSuchElementException e) {
            return counted;
        }
    }
}

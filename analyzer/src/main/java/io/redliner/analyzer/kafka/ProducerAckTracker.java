// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Tracks which sent records the broker has acknowledged. Records of one lane wait for each other. A lane is a task or a key, so a
 * partition without a leader does not delay the others. Thread-safe.
 */
final class ProducerAckTracker {

    /** Numbers of the pending records by lane; a lane without a pending record is absent. */
    private final Map<String, TreeSet<Long>> pending = new HashMap<>();

    private long sent;

    /** Returns the lane of a task's changelog records. Only these records name their partition. */
    static String lane(int partition) {
        return "partition " + partition;
    }

    /** Returns the lane of the records of a key. */
    static String lane(String topic, String key) {
        return topic + "/" + key;
    }

    /** Registers a record that is about to be sent; returns its number, which grows over all lanes. */
    synchronized long send(String lane) {
        sent++;
        pending.computeIfAbsent(lane, unused -> new TreeSet<>()).add(sent);
        return sent;
    }

    /** Marks a record as acknowledged or failed. */
    synchronized void settled(String lane, long ticket) {
        pending.computeIfPresent(lane, (unused, tickets) -> {
            tickets.remove(ticket);
            return tickets.isEmpty() ? null : tickets;
        });
    }

    /** Returns the number of the last record that was sent. */
    synchronized long sent() {
        return sent;
    }

    /**
     * Returns the number up to which all records of the lane are acknowledged or failed. After a failure Kafka Streams lets the
     * task send nothing more.
     */
    synchronized long arrived(String lane) {
        TreeSet<Long> tickets = pending.get(lane);
        return tickets == null ? sent : tickets.first() - 1;
    }
}

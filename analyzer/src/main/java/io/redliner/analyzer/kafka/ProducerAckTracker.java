// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which of the records that a process sent are safe on the broker. Records of one lane await each other; a lane is a task
 * or a key, so that a partition without a leader holds up no other. For many threads.
 */
final class ProducerAckTracker {

    /** By lane; a lane without a pending record is absent. */
    private final Map<String, TreeSet<Long>> pending = new HashMap<>();

    private long sent;

    /** The lane of the changelog records of a task, which alone name their partition. */
    static String lane(int partition) {
        return "partition " + partition;
    }

    /** The lane of the records of a key. */
    static String lane(String topic, String key) {
        return topic + "/" + key;
    }

    /** A record is about to be sent; its number, which grows over all lanes. */
    synchronized long send(String lane) {
        sent++;
        pending.computeIfAbsent(lane, unused -> new TreeSet<>()).add(sent);
        return sent;
    }

    /** Nothing is awaited for it any more. */
    synchronized void settled(String lane, long ticket) {
        pending.computeIfPresent(lane, (unused, tickets) -> {
            tickets.remove(ticket);
            return tickets.isEmpty() ? null : tickets;
        });
    }

    /** The number of the last record that was sent. */
    synchronized long sent() {
        return sent;
    }

    /**
     * All records of the lane up to this number have arrived, or one failed; then Kafka Streams lets the task send nothing
     * more.
     */
    synchronized long arrived(String lane) {
        TreeSet<Long> tickets = pending.get(lane);
        return tickets == null ? sent : tickets.first() - 1;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.simulation.Network.Place;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The topic of leases. The network does to leases what it does to all messages. The records of the kill switch are in one
 * partition, which every redirector reads in its order and without a gap, whatever the network does.
 */
final class LeaseTopic {

    private static final long POLL = 50;

    private static final int SLOWEST_SWITCH = 60;

    private final LoopSimulation loop;

    private final SplittableRandom random;

    private final List<LeaseRecord> log = new ArrayList<>();

    private final Map<Integer, Deque<LeaseRecord>> unread = new LinkedHashMap<>();

    LeaseTopic(LoopSimulation loop, SplittableRandom random) {
        this.loop = loop;
        this.random = random;
    }

    /** All records since the world began. */
    List<LeaseRecord> log() {
        return List.copyOf(log);
    }

    /** The records that compaction has left. */
    List<LeaseRecord> compacted() {
        Map<String, LeaseRecord> newest = new LinkedHashMap<>();
        for (LeaseRecord record : log) {
            String key = new String(record.key(), StandardCharsets.ISO_8859_1);
            newest.remove(key);
            newest.put(key, record);
        }
        return List.copyOf(newest.values());
    }

    void write(Place from, LeaseRecord record) {
        log.add(record);
        for (int number = 0; number < loop.redirectors.size(); number++) {
            int receiver = number;
            if (record.ofSwitch()) {
                unread.computeIfAbsent(receiver, none -> new ArrayDeque<>()).add(record);
                loop.time.after(2 + random.nextInt(SLOWEST_SWITCH), () -> readSwitch(receiver));
            } else {
                loop.network.send(from, LoopSimulation.place(number),
                        () -> loop.redirectors.get(receiver).received(record));
            }
        }
    }

    private void readSwitch(int receiver) {
        if (!loop.network.reaches(LoopSimulation.place(receiver))) {
            loop.time.after(POLL, () -> readSwitch(receiver));
            return;
        }
        Deque<LeaseRecord> records = unread.getOrDefault(receiver, new ArrayDeque<>());
        while (!records.isEmpty()) {
            loop.redirectors.get(receiver).received(records.remove());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static io.redliner.analyzer.kafka.Messages.PEER;
import static io.redliner.analyzer.kafka.Messages.SUT;

import io.redliner.contract.Topic;
import io.redliner.contract.v1.RunPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** What an analyzer gets of some services with live runs, window by window. */
final class Calls {

    /** From this window on another instance is seen. */
    static final int NEWCOMER = 22;

    private static final long BEGIN = 1_000_000;

    private Calls() {}

    static long start(int window) {
        return BEGIN + window * 1_000L;
    }

    static List<Call> ofRunsOn(List<String> services, int windows) {
        var calls = new ArrayList<Call>();
        var sequences = new HashMap<String, Long>();
        for (int window = 0; window < windows; window++) {
            long end = start(window) + 1_000;
            for (var service : services) {
                if (window == 3 || window == 6 || window == 16) {
                    var phase = window == 3
                            ? RunPhase.RUN_PHASE_PREPARING
                            : window == 6 ? RunPhase.RUN_PHASE_BASELINE : RunPhase.RUN_PHASE_RAMPING;
                    calls.add(new Call(Topic.RUNS, service,
                            Messages.run(phase, 1).setService(service).build().toByteArray(),
                            Instant.ofEpochMilli(end + 1)));
                }
                calls.add(seen(service, SUT, sequences.merge(service, 1L, Long::sum), window, end + 10));
                if (window >= NEWCOMER) {
                    calls.add(seen(service, "newcomer:1", sequences.merge(service, 1L, Long::sum), window, end + 11));
                }
                boolean silent = window % 11 == 9;
                if (!silent) {
                    calls.add(seen(service, PEER, sequences.merge(service, 1L, Long::sum), window, end + 12));
                }
            }
            for (int tick = 50; tick < 1_000; tick += 50) {
                calls.add(new Call(null, "", null, Instant.ofEpochMilli(end + tick)));
            }
        }
        return calls;
    }

    /** How many of them come until then, that moment included. */
    static int positionAfter(List<Call> calls, long nowMillis) {
        return (int) calls.stream().filter(call -> call.now().toEpochMilli() <= nowMillis).count();
    }

    private static Call seen(String service, String instance, long sequence, int window, long now) {
        long millis = 5L + Math.floorMod(service.hashCode() + 31L * window + instance.length(), 20);
        return new Call(Topic.OBSERVATIONS, service,
                Messages.observation(instance, sequence, start(window), 100 + window % 3, millis).setService(service)
                        .build().toByteArray(),
                Instant.ofEpochMilli(now));
    }
}

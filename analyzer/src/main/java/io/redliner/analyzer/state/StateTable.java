// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.analyzer.state.AnalyzerStateStore.Recalled;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a partition's analysis is laid out in its table:
 *
 * <pre>
 * run/SERVICE         the controllers' newest word, as it was sent
 * state/SERVICE       where the analysis of the live run is: {@link AnalyzerSnapshot}
 * seen/SLOT/SERVICE   observations of windows that are not judged yet, as they were sent
 * </pre>
 */
final class StateTable {

    private static final String RUN = "run/";

    private static final String STATE = "state/";

    private static final String SEEN = "seen/";

    private final KeyValueTable table;

    private final Map<String, SlotAllocator> slots = new TreeMap<>();

    StateTable(KeyValueTable table) {
        this.table = table;
    }

    byte @Nullable [] run(String service) {
        return table.get(RUN + service);
    }

    void keepRun(String service, byte[] run) {
        table.put(RUN + service, run);
    }

    /** Keeps it, and returns how many bytes that takes. */
    int keepState(String service, AnalyzerSnapshot state, long nextStartMillis) {
        byte[] bytes = state.toBytes();
        table.put(STATE + service, bytes);
        slots(service).freeBefore(nextStartMillis);
        return bytes.length;
    }

    void keepSeen(String service, long windowStartMillis, byte[] observation) {
        table.put(seen(slots(service).take(windowStartMillis), service), observation);
    }

    /** A place that was found to be used. */
    void recallSeen(String service, int slot, long windowStartMillis) {
        slots(service).take(slot, windowStartMillis);
    }

    /** There is no live run any more. */
    void forgetState(String service) {
        if (table.get(STATE + service) != null) {
            table.delete(STATE + service);
        }
        var used = slots.remove(service);
        for (int slot = 0; used != null && slot < used.everTaken(); slot++) {
            table.delete(seen(slot, service));
        }
    }

    /** There is no run any more, and there was none. */
    void forgetRun(String service) {
        forgetState(service);
        table.delete(RUN + service);
    }

    /** Everything that is remembered, by service. */
    Map<String, Recalled> recall() {
        var runs = new TreeMap<String, byte[]>();
        var states = new TreeMap<String, byte[]>();
        var seen = new TreeMap<String, Map<Integer, byte[]>>();
        table.forEach((key, value) -> {
            if (key.startsWith(RUN)) {
                runs.put(key.substring(RUN.length()), value);
            } else if (key.startsWith(STATE)) {
                states.put(key.substring(STATE.length()), value);
            } else if (key.startsWith(SEEN)) {
                int end = key.indexOf('/', SEEN.length());
                seen.computeIfAbsent(key.substring(end + 1), unused -> new TreeMap<>())
                        .put(Integer.parseInt(key.substring(SEEN.length(), end)), value);
            }
        });
        var recalled = new TreeMap<String, Recalled>();
        Stream.of(runs, states, seen).flatMap(kind -> kind.keySet().stream()).forEach(service -> {
            var used = seen.getOrDefault(service, Map.of());
            used.keySet().forEach(slot -> slots(service).known(slot));
            recalled.put(service, new Recalled(runs.get(service), states.get(service), used));
        });
        return recalled;
    }

    private SlotAllocator slots(String service) {
        return slots.computeIfAbsent(service, unused -> new SlotAllocator());
    }

    private static String seen(int slot, String service) {
        return SEEN + slot + '/' + service;
    }
}

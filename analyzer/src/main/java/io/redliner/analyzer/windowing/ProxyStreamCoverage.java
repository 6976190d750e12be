// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Counts the proxy streams at the collectors of a service. When a collector fails, its proxies connect to others. A silent
 * collector is no longer missed as soon as the others have had, for a whole window, as many streams as there were in all before.
 * Without an earlier window, no collector counts as replaced.
 */
final class ProxyStreamCoverage {

    /** Streams by collector in the last closed window. */
    private Map<String, Integer> before = Map.of();

    /** Streams of all collectors in the last window without a missing source; more when there have been more since. */
    private int whole;

    /**
     * Finds the collectors without streams in a window in which the other collectors had all streams from its beginning.
     *
     * @param received observations of the window
     * @return true for a collector that was replaced
     */
    Predicate<String> replaced(Collection<InstanceObservation> received) {
        var now = streams(received);
        int there = 0;
        for (var one : now.entrySet()) {
            there += Math.min(one.getValue(), before.getOrDefault(one.getKey(), 0));
        }
        boolean allThere = whole > 0 && there >= whole;
        return collector -> allThere && now.getOrDefault(collector, 0) == 0;
    }

    /**
     * Records a closed window.
     *
     * @param received observations of the window
     * @param missed true when a source was missing
     */
    void closed(Collection<InstanceObservation> received, boolean missed) {
        before = streams(received);
        int streams = before.values().stream().mapToInt(Integer::intValue).sum();
        whole = missed ? Math.max(whole, streams) : streams;
    }

    WindowingState.Streams state() {
        return new WindowingState.Streams(before, whole);
    }

    void resume(WindowingState.Streams state) {
        before = state.before();
        whole = state.whole();
    }

    private static Map<String, Integer> streams(Collection<InstanceObservation> received) {
        var streams = new HashMap<String, Integer>();
        received.forEach(observation -> streams.merge(observation.collector(), observation.streams(), Math::max));
        return streams;
    }
}

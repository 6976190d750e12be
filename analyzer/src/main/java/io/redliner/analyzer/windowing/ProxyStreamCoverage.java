// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How many streams of proxies the collectors of a service have. When one falls silent, its proxies go to others: as soon as these
 * have had, for a whole window, as many as there were in all before, nothing is missing any more. Who has just
 * begun knows nothing of before, and excuses nobody.
 */
final class ProxyStreamCoverage {

    /** By collector, in the last window that was closed. */
    private Map<String, Integer> before = Map.of();

    /** Of all collectors, when nobody was missing last; or more, when more have been seen since. */
    private int whole;

    /**
     * Those who have no streams in a window, of which others have had all from its beginning.
     *
     * @param received observations of the window
     * @return whether a collector is one of them
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
     * A window is over.
     *
     * @param received observations of it
     * @param missed whether somebody was missing
     */
    void closed(Collection<InstanceObservation> received, boolean missed) {
        before = streams(received);
        int seen = before.values().stream().mapToInt(Integer::intValue).sum();
        whole = missed ? Math.max(whole, seen) : seen;
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

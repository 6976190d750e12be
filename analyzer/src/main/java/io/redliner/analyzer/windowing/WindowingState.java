// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The state of a {@link ServiceWindowAggregator}, without the observations of its open windows. Times are in ms since the epoch.
 *
 * @param nextStart start of the oldest window that is not judged yet
 * @param firstReceived start of the first window with an observation
 * @param sources that reported lately
 * @param collectors with their highest sequence numbers
 * @param lost observations that were sent and have not arrived
 * @param streams proxy streams at the collectors
 * @param misplaced sources whose windows are not the ones that are judged
 */
public record WindowingState(OptionalLong nextStart, OptionalLong firstReceived, List<Source> sources,
        List<Collector> collectors, List<Lost> lost, Streams streams, List<Misplacement> misplaced) {

    /** The state before the first observation. */
    public static final WindowingState EMPTY = new WindowingState(OptionalLong.empty(), OptionalLong.empty(), List.of(),
            List.of(), List.of(), new Streams(Map.of(), 0), List.of());

    /**
     * A collector's last report of an instance.
     *
     * @param watchedStartMillis start of the last window in which a proxy reported requests to the collector; empty when none did
     *            lately
     */
    public record Source(String collector, String instance, long windowStartMillis, OptionalLong watchedStartMillis) {}

    /**
     * Counts of proxy streams.
     *
     * @param before streams by collector in the last closed window
     * @param whole streams of all collectors in the last window without a missing source; more when there have been more since
     */
    public record Streams(Map<String, Integer> before, int whole) {

        public Streams {
            before = Map.copyOf(before);
        }
    }

    /** A source whose observations are missing in the windows that begin until then, with the reason. */
    public record Misplacement(String collector, String instance, long untilMillis, String reason) {}

    /** The highest sequence number received from a collector, and the start of its window. */
    public record Collector(String collector, long sequence, long windowStartMillis) {}

    /** Observations that a collector sent and that have not arrived, with the windows that they can belong to. */
    public record Lost(String collector, long firstSequence, long lastSequence, long firstStartMillis,
            long lastStartMillis) {

        boolean contains(String other, long sequence) {
            return collector.equals(other) && firstSequence <= sequence && sequence <= lastSequence;
        }

        boolean touches(long startMillis) {
            return firstStartMillis <= startMillis && startMillis <= lastStartMillis;
        }
    }

    public WindowingState {
        sources = List.copyOf(sources);
        collectors = List.copyOf(collectors);
        lost = List.copyOf(lost);
        misplaced = List.copyOf(misplaced);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.window;

import java.util.List;
import java.util.OptionalLong;

/**
 * What {@link ServiceWindows} remember beside the sightings of their open windows. Times are in ms since the epoch.
 *
 * @param nextStart of the oldest window that is not judged yet
 * @param firstHeard start of the first window that anything was heard in
 * @param sources that were heard lately
 * @param collectors and how far they had come
 * @param lost what was sent and has not arrived
 */
public record WindowsState(OptionalLong nextStart, OptionalLong firstHeard, List<Source> sources,
        List<Collector> collectors, List<Lost> lost) {

    /** When a collector last reported an instance. */
    public record Source(String collector, String instance, long windowStartMillis) {}

    /** The highest sequence that was heard of a collector, and the window it was for. */
    public record Collector(String collector, long sequence, long windowStartMillis) {}

    /** Sightings that a collector sent and that have not arrived, and the windows that they can belong to. */
    public record Lost(String collector, long firstSequence, long lastSequence, long firstStartMillis,
            long lastStartMillis) {

        boolean contains(String other, long sequence) {
            return collector.equals(other) && firstSequence <= sequence && sequence <= lastSequence;
        }

        boolean touches(long startMillis) {
            return firstStartMillis <= startMillis && startMillis <= lastStartMillis;
        }
    }

    public WindowsState {
        sources = List.copyOf(sources);
        collectors = List.copyOf(collectors);
        lost = List.copyOf(lost);
    }
}

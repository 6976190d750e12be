// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.runstats.TelemetryCoverage;
import io.redliner.analyzer.windowing.WindowingState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far the analysis of a run has come since its last snapshot. With the observations of the closed windows, an analyzer
 * that has the snapshot judges them once more and is where the analysis was.
 *
 * @param windows as they are now
 * @param coverage as it is now
 * @param closed windows, oldest first
 */
public record WindowProgress(WindowingState windows, TelemetryCoverage coverage, List<Closed> closed) {

    /** What a window's observations do not say of it: see {@link io.redliner.analyzer.windowing.ServiceWindow}. */
    public record Closed(long startMillis, Map<String, String> missing, Optional<String> incomplete) {

        public Closed {
            missing = Map.copyOf(missing);
        }
    }

    public WindowProgress {
        closed = List.copyOf(closed);
    }
}

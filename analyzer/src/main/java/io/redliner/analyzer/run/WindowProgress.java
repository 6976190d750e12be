// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.runstats.TelemetryCoverage;
import io.redliner.analyzer.windowing.WindowingState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The progress of a run's analysis since its last snapshot. An analyzer that has the snapshot, this record and the observations of
 * the closed windows judges these windows again and reaches the same state.
 *
 * @param windows state of the windows now
 * @param coverage coverage of the run now
 * @param closed windows that were closed since the snapshot, oldest first
 */
public record WindowProgress(WindowingState windows, TelemetryCoverage coverage, List<Closed> closed) {

    /**
     * A closed window: those parts of a {@link io.redliner.analyzer.windowing.ServiceWindow} that its observations do not
     * contain.
     */
    public record Closed(long startMillis, Map<String, String> missing, Optional<String> incomplete) {

        public Closed {
            missing = Map.copyOf(missing);
        }
    }

    public WindowProgress {
        closed = List.copyOf(closed);
    }
}

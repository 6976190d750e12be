// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.analyzer.windowing.ServiceWindow;

/**
 * How completely a run was seen.
 *
 * @param windows that were judged
 * @param incomplete of those, the ones without the SUT or without the word of a collector that reports
 * @param skipped windows that were never judged
 * @param observations in the windows that were judged; what several collectors said of an instance counts once
 * @param late observations of windows that were judged already
 * @param early observations of windows that begin in the future
 * @param repeated observations
 * @param lost observations, as the sequence of those that came shows
 */
public record TelemetryCoverage(long windows, long incomplete, long skipped, long observations, long late, long early,
        long repeated, long lost) {

    static final TelemetryCoverage NONE = new TelemetryCoverage(0, 0, 0, 0, 0, 0, 0, 0);

    TelemetryCoverage plus(ServiceWindow window, boolean complete, long skippedBefore) {
        return new TelemetryCoverage(windows + 1, incomplete + (complete ? 0 : 1), skipped + skippedBefore,
                observations + window.instances().size(), late, early, repeated, lost);
    }

    /** @param lostBefore negative when it was counted as lost itself, and only came out of its order */
    TelemetryCoverage plus(IngestResult reception, long lostBefore) {
        // One that was missed before the first window of the run was not counted.
        long nowLost = Math.max(0, lost + lostBefore);
        return switch (reception) {
            case LATE ->
                new TelemetryCoverage(windows, incomplete, skipped, observations, late + 1, early, repeated, nowLost);
            case EARLY ->
                new TelemetryCoverage(windows, incomplete, skipped, observations, late, early + 1, repeated, nowLost);
            case DUPLICATE ->
                new TelemetryCoverage(windows, incomplete, skipped, observations, late, early, repeated + 1,
                        nowLost);
            case ACCEPTED, OTHER_LENGTH, AGAIN -> nowLost == lost
                    ? this
                    : new TelemetryCoverage(windows, incomplete, skipped, observations, late, early, repeated, nowLost);
        };
    }
}

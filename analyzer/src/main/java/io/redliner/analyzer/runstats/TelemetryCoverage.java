// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.analyzer.windowing.ServiceWindow;

/**
 * Counts of the windows and observations of a run, and of those that are missing.
 *
 * @param windows that were judged
 * @param incomplete judged windows without the SUT or without an expected observation
 * @param skipped windows that were never judged
 * @param observations in the judged windows; several collectors' observations of one instance count once
 * @param late observations of windows that were judged already
 * @param early observations of windows that begin in the future
 * @param repeated observations that were received before
 * @param lost observations that never arrived, by the gaps in the sequence numbers
 */
public record TelemetryCoverage(long windows, long incomplete, long skipped, long observations, long late, long early,
        long repeated, long lost) {

    static final TelemetryCoverage NONE = new TelemetryCoverage(0, 0, 0, 0, 0, 0, 0, 0);

    TelemetryCoverage plus(ServiceWindow window, boolean complete, long skippedBefore) {
        return new TelemetryCoverage(windows + 1, incomplete + (complete ? 0 : 1), skipped + skippedBefore,
                observations + window.instances().size(), late, early, repeated, lost);
    }

    /** @param lostBefore observations missing before it; negative when it had been counted as lost and came out of its order */
    TelemetryCoverage plus(IngestResult ingestResult, long lostBefore) {
        // A gap before the first window of the run was not counted.
        long nowLost = Math.max(0, lost + lostBefore);
        return switch (ingestResult) {
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

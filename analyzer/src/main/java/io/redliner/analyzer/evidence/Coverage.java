// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evidence;

import io.redliner.analyzer.window.ServiceWindow;

/**
 * How completely a run was seen.
 *
 * @param windows that were judged
 * @param incomplete of those, the ones without the SUT or without the word of a collector that reports
 * @param skipped windows that were never judged
 * @param standstills windows that were judged a second or more after their grace
 * @param observations that were taken
 * @param late observations of windows that were judged already
 * @param early observations of windows that begin in the future
 * @param repeated observations
 * @param lost observations, as their sequence shows
 */
public record Coverage(long windows, long incomplete, long skipped, long standstills, long observations, long late,
        long early, long repeated, long lost) {

    static final Coverage NONE = new Coverage(0, 0, 0, 0, 0, 0, 0, 0, 0);

    Coverage plus(ServiceWindow window, boolean complete, long skippedBefore) {
        // What came in before the run's first window was of no concern to it.
        var receipt = windows == 0 ? ServiceWindow.Receipt.NONE : window.receipt();
        return new Coverage(windows + 1, incomplete + (complete ? 0 : 1), skipped + skippedBefore,
                standstills + (receipt.standstill() ? 1 : 0), observations + receipt.accepted(),
                late + receipt.late(), early + receipt.early(), repeated + receipt.repeated(), lost + receipt.lost());
    }
}

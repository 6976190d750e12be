// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

/**
 * The part of the time between two polls that stops took. A stop that began before the last poll and ended after it can be longer
 * than the time between them. The excess counts at the next polls, so that no part is above 1 and none is lost.
 */
final class StoppedTimeRatio {

    private double owed;

    /**
     * Returns the part for this poll.
     *
     * @param stopped in seconds, of the stops that ended since the last poll
     * @param seconds since the last poll, above 0
     * @return 0..1
     */
    double of(double stopped, double seconds) {
        double all = owed + stopped;
        double counted = Math.min(all, seconds);
        owed = all - counted;
        return counted / seconds;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

/**
 * The share of the time between two looks that stops took. A stop that began before the last look and ended after it can be
 * longer than the time between them: what does not fit counts at the next looks, so that no share is above 1 and none is lost.
 */
final class StoppedTimeRatio {

    private double owed;

    /**
     * As of this look.
     *
     * @param stopped in seconds, of the stops that ended since the last look
     * @param seconds since the last look, above 0
     * @return 0..1
     */
    double of(double stopped, double seconds) {
        double all = owed + stopped;
        double counted = Math.min(all, seconds);
        owed = all - counted;
        return counted / seconds;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

/**
 * The garbage collector's work between two polls, by counts and sums: how often, how long together, and the longest stop. With
 * one stop the longest is exact. With several it is the largest that the service reported, when that rose since the last poll.
 * Otherwise it is at least the mean and the lower bound of the highest bucket, and at most all stops together.
 */
final class GcActivity {

    private double count;

    private double seconds;

    private double longest;

    void add(double stops, double together, double minLargest) {
        count += stops;
        seconds += together;
        if (stops > 0) {
            longest = Math.max(longest, Math.min(together, Math.max(together / stops, minLargest)));
        }
    }

    void add(GcActivity other) {
        count += other.count;
        seconds += other.seconds;
        longest = Math.max(longest, other.longest);
    }

    /** Takes the largest stop that the service reported, when it rose since the last poll. */
    void largest(double reported) {
        if (count > 1 && reported >= longest && reported <= seconds) {
            longest = reported;
        }
    }

    double count() {
        return count;
    }

    double seconds() {
        return seconds;
    }

    double longest() {
        return longest;
    }
}

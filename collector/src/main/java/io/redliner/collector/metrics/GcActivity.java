// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

/**
 * What the garbage collector did between two looks, as far as counts and sums tell: how often, how long together, and the
 * longest stop. With one stop that is exact. With several it is the largest that the service told when that rose since the
 * last look; otherwise no less than the mean and the lower bound of the highest bucket, and no more than all together.
 */
final class GcActivity {

    private double count;

    private double seconds;

    private double longest;

    void add(double stops, double together, double largestAtLeast) {
        count += stops;
        seconds += together;
        if (stops > 0) {
            longest = Math.max(longest, Math.min(together, Math.max(together / stops, largestAtLeast)));
        }
    }

    void add(GcActivity other) {
        count += other.count;
        seconds += other.seconds;
        longest = Math.max(longest, other.longest);
    }

    /** The service told a larger one than ever lately. */
    void largest(double told) {
        if (count > 1 && told >= longest && told <= seconds) {
            longest = told;
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

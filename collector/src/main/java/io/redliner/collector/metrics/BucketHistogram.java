// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.Optional;

/** A histogram of values in buckets. Immutable. Values are in the unit of the sender. */
public sealed interface BucketHistogram permits ExplicitBuckets, ExponentialBuckets {

    /** Returns the number of values. */
    double count();

    /** Returns the sum of all values; NaN when not known. */
    double sum();

    /**
     * Returns the increase since an earlier histogram. Empty when it is not known, because the buckets differ.
     *
     * @return with a count below 0 when the histogram began anew in between
     */
    Optional<BucketHistogram> since(BucketHistogram earlier);

    /** Returns whether the count is finite, and neither it nor a bucket is below 0. */
    boolean isSane();

    /**
     * Returns the histogram with 0 in each bucket that is below 0. Services read their buckets one after the other while values
     * come, so one can be less than at the last poll although nothing began anew.
     */
    BucketHistogram withoutFalls();

    /**
     * Returns the value below which that part of all values is, by the buckets.
     *
     * @param quantile above 0, below 1
     * @return NaN when there are no values or no buckets
     */
    double quantile(double quantile);

    /** Returns a lower bound of the largest value, by the buckets; 0 when the buckets show no better one. */
    double minLargest();

    /** Returns whether there are buckets, from which quantiles can be computed. */
    boolean hasBuckets();
}

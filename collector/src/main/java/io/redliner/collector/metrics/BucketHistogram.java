// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.Optional;

/** How often which values were, in buckets. Immutable. Values in the unit that they came in. */
public sealed interface BucketHistogram permits ExplicitBuckets, ExponentialBuckets {

    /** How many values. */
    double count();

    /** Of all values; NaN when not known. */
    double sum();

    /**
     * The increase since the earlier one. Empty when it is not known, because the buckets differ.
     *
     * @return with the count below 0 when it began anew in between
     */
    Optional<BucketHistogram> since(BucketHistogram earlier);

    /** Whether no bucket, nor the count, went back or is not a finite number. */
    boolean isSane();

    /**
     * With 0 in each bucket that is below 0. Services read their buckets one after the other while values come, so one can
     * be less than a look ago although nothing began anew.
     */
    BucketHistogram withoutFalls();

    /**
     * The value below which that part of all values is, by the buckets.
     *
     * @param quantile above 0, below 1
     * @return NaN when there are no values or no buckets
     */
    double quantile(double quantile);

    /** No more than the largest of the values, by the buckets; 0 when that is all that can be said. */
    double largestAtLeast();

    /** Whether there are buckets to tell quantiles by. */
    boolean hasBuckets();
}

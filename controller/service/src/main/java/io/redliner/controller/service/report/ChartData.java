// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of any length as at most {@value #MAX_BUCKETS} buckets: whenever there are too many, each two neighbours become one.
 * They are of equally many windows when windows are taken one by one.
 */
final class ChartData {

    static final int MAX_BUCKETS = 240;

    private final List<WindowBucket> buckets = new ArrayList<>(MAX_BUCKETS);

    private long width = 1;

    private @Nullable WindowBucket openBucket;

    void take(WindowBucket one) {
        openBucket = openBucket == null ? one : openBucket.and(one);
        if (openBucket.windows() < width) {
            return;
        }
        buckets.add(openBucket);
        openBucket = null;
        if (buckets.size() == MAX_BUCKETS) {
            List<WindowBucket> halves = new ArrayList<>(MAX_BUCKETS);
            for (int number = 0; number < MAX_BUCKETS; number += 2) {
                halves.add(buckets.get(number).and(buckets.get(number + 1)));
            }
            buckets.clear();
            buckets.addAll(halves);
            width *= 2;
        }
    }

    List<WindowBucket> buckets() {
        List<WindowBucket> all = new ArrayList<>(buckets);
        if (openBucket != null) {
            all.add(openBucket);
        }
        return all;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.benchmarks.lab.server.ServerKinds;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BestPossibleTest {

    @Test
    void who_stands_at_the_capacity_errs_by_less_the_longer_it_counts() {
        double afterShort = median("mmc16", 20);
        double afterLong = median("mmc16", 320);

        assertThat(afterShort).isBetween(0.002, 0.05);
        // As the root of the time, were there no queue that remembers.
        assertThat(afterLong).isBetween(0.1 * afterShort, 0.5 * afterShort);
    }

    @Test
    void few_requests_or_a_slow_growth_of_the_hurt_leave_more_unknown() {
        assertThat(median("lowrate", 100)).isGreaterThan(2 * median("mmc16", 100));
    }

    private static double median(String kind, double seconds) {
        return LongStream.range(0, 31).mapToDouble(seed -> BestPossible.error(ServerKinds.named(kind), seconds, seed))
                .sorted().skip(15).findFirst().orElseThrow();
    }
}

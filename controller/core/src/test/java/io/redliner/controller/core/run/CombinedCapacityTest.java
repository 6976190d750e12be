// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.capacity.KnownCapacity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CombinedCapacityTest {

    private static final KnownCapacity KNOWN = new KnownCapacity(100, 90, 111, 3);

    private static boolean believed(KnownCapacity combined, @Nullable KnownCapacity known) {
        CapacityEstimate estimate = new CapacityEstimate(110, 100, 121, "", null, null, null, null, combined);
        CapacityEstimate believed = estimate.believed(known);
        assertThat(believed.capacity()).isEqualTo(110);
        return combined.equals(believed.combined());
    }

    @Test
    void a_combined_capacity_lies_between_the_two_or_is_that_of_the_run() {
        assertThat(believed(new KnownCapacity(104, 97, 112, 4), KNOWN)).isTrue();
        assertThat(believed(new KnownCapacity(110, 100, 121, 1), KNOWN)).isTrue();
    }

    @Test
    void one_that_cannot_be_made_of_what_was_known_is_not_believed_and_the_estimate_stays() {
        assertThat(believed(new KnownCapacity(104, 97, 112, 4), null)).as("nothing was known").isFalse();
        assertThat(believed(new KnownCapacity(104, 97, 112, 5), KNOWN)).as("runs").isFalse();
        assertThat(believed(new KnownCapacity(112, 104, 120, 4), KNOWN)).as("outside").isFalse();
        assertThat(believed(new KnownCapacity(104, 97, 112, 1), KNOWN)).as("not the run's").isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1, 1", "100, 0, 110, 1", "100, 101, 110, 1", "100, 90, 99, 1", "100, 90, Infinity, 1",
        "NaN, 90, 110, 1", "100, 90, 110, 0", "100, 90, 110, -5"})
    void what_is_no_capacity_is_none(double capacity, double low, double high, int runs) {
        assertThat(KnownCapacity.of(capacity, low, high, runs)).isNull();
        assertThatThrownBy(() -> new KnownCapacity(capacity, low, high, runs))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("runs");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrecisionTest {

    @Test
    void half_the_width_takes_four_times_as_long_and_a_wide_interval_takes_no_longer_than_usual() {
        assertThat(new Precision(0.05).lengthening() / new Precision(0.1).lengthening()).isCloseTo(4, within(1e-9));
        assertThat(new Precision(0.135).lengthening()).isCloseTo(1, within(1e-9));
        assertThat(new Precision(0.5).lengthening()).isEqualTo(1);
        assertThat(new Precision(Precision.MIN).lengthening()).isBetween(11.0, 12.0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 0.0399, 0.501, Double.NaN, Double.POSITIVE_INFINITY})
    void what_no_search_can_reach_is_refused_with_the_range(double halfWidth) {
        assertThatThrownBy(() -> new Precision(halfWidth)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between 4% and 50%");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IntervalCalibrationTest {

    @ParameterizedTest
    @EnumSource
    void no_end_is_moved_nearer_and_none_beyond_what_is_possible(IntervalCalibration calibration) {
        assertThat(calibration.low(100, 90)).isPositive().isLessThanOrEqualTo(90);
        assertThat(calibration.high(100, 105)).isFinite().isGreaterThanOrEqualTo(105);
        assertThat(calibration.high(100, Double.POSITIVE_INFINITY)).isInfinite();
    }

    @Test
    void the_capacity_of_a_search_with_stalls_is_known_less_well_than_of_one_without() {
        var history = SimulatedRun.ordinary(1).stream().map(SimulatedRun.Moment::state)
                .filter(SearchPhaseState.Confirming.class::isInstance).map(SearchPhaseState.Confirming.class::cast)
                .map(SearchPhaseState.Confirming::history).filter(it -> it.posterior().isPresent() && !it.retrograde())
                .findFirst().orElseThrow();

        assertThat(IntervalCalibration.of(history, 1)).isEqualTo(IntervalCalibration.REGULAR);
        assertThat(IntervalCalibration.of(history, 2)).isEqualTo(IntervalCalibration.IRREGULAR);
    }
}

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
    void a_ride_with_stalls_is_known_less_well_than_one_without() {
        var ride = SimulatedRun.ordinary(1).stream().map(SimulatedRun.Moment::state)
                .filter(SearchPhaseState.Riding.class::isInstance).map(SearchPhaseState.Riding.class::cast)
                .map(SearchPhaseState.Riding::ride).filter(it -> it.belief().isPresent() && !it.retrograde())
                .findFirst().orElseThrow();

        assertThat(IntervalCalibration.of(ride, 1)).isEqualTo(IntervalCalibration.REGULAR);
        assertThat(IntervalCalibration.of(ride, 2)).isEqualTo(IntervalCalibration.IRREGULAR);
    }
}

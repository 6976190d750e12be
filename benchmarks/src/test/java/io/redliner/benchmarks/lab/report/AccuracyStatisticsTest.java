// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.api.MethodResult.Status;
import io.redliner.benchmarks.lab.traffic.HarmCalculator;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccuracyStatisticsTest {

    @Test
    void an_answer_is_measured_against_the_truth() {
        // given
        var figures = AccuracyStatistics
                .of(List.of(run(MethodResult.found(98, 95, 101)), run(MethodResult.found(103, 101, 105)),
                        run(MethodResult.found(101, 98, 104))));

        // then
        assertThat(figures.medianError()).isCloseTo(0.02, within(1e-9));
        assertThat(figures.bias()).isCloseTo(0.01, within(1e-9));
        assertThat(figures.coverage()).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(figures.halfWidth()).isCloseTo(0.03, within(1e-9));
        assertThat(figures.off()).isZero();
    }

    @Test
    void an_error_is_compared_with_the_least_that_can_be_had() {
        // given
        var figures = AccuracyStatistics
                .of(List.of(run(MethodResult.found(98, 95, 101)), run(MethodResult.found(103, 101, 105))));

        // then
        assertThat(figures.best()).isEqualTo(0.01);
        assertThat(figures.timesBest()).isCloseTo(2.5, within(1e-9));
    }

    @Test
    void giving_up_is_wrong_by_everything_and_covers_nothing() {
        // given
        var figures = AccuracyStatistics.of(List.of(run(MethodResult.none(Status.GAVE_UP))));

        // then
        assertThat(figures.medianError()).isEqualTo(1);
        assertThat(figures.coverage()).isZero();
        assertThat(figures.off()).isEqualTo(1);
    }

    @Test
    void traffic_that_ended_bounds_the_capacity_from_below_only() {
        // given
        var figures = AccuracyStatistics.of(List.of(run(MethodResult.exhausted(97, 96))));

        // then
        assertThat(figures.coverage()).isEqualTo(1);
        assertThat(figures.halfWidth()).isNaN();
    }

    @Test
    void a_method_without_intervals_has_no_coverage() {
        assertThat(AccuracyStatistics.of(List.of(run(MethodResult.found(97, Double.NaN, Double.NaN)))).coverage())
                .isNaN();
    }

    private static LabRunResult run(MethodResult answer) {
        return new LabRunResult("method", "kind", 1, answer, 100, new HarmCalculator.Sum(100, 1_000, 10, 5, 5, 1, 1),
                0.01);
    }
}

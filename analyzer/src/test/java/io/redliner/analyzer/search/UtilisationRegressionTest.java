// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.StepEvidence.LevelPoint;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UtilisationRegressionTest {

    private static final double[] GRID = IntStream.rangeClosed(0, 200).mapToDouble(i -> Math.log(500 + 3 * i))
            .toArray();

    @Test
    void a_level_in_proportion_to_the_load_reaches_its_limit_where_the_line_says() {
        var fit = UtilisationRegression.of(points(load -> load / 800, 600, 640, 680, 700)).orElseThrow();

        assertThat(PosteriorEstimator.quantile(GRID, fit.cumulative(GRID), 0.5)).isCloseTo(800, within(4.0));
        assertThat(fit.near()).isTrue();
    }

    @Test
    void a_level_that_grows_faster_than_the_load_is_followed() {
        var fit = UtilisationRegression.of(points(load -> Math.pow(load / 800, 2), 560, 640, 720, 780)).orElseThrow();

        assertThat(PosteriorEstimator.quantile(GRID, fit.cumulative(GRID), 0.5)).isCloseTo(800, within(16.0));
    }

    @Test
    void the_farther_away_the_limit_the_less_is_known() {
        var near = UtilisationRegression.of(points(load -> load / 800, 700, 740, 780)).orElseThrow().cumulative(GRID);
        var far = UtilisationRegression.of(points(load -> load / 800, 400, 420, 440)).orElseThrow().cumulative(GRID);

        assertThat(width(far)).isGreaterThan(3 * width(near));
    }

    @Test
    void a_level_far_from_its_limit_does_not_bind_and_one_step_is_no_line() {
        assertThat(UtilisationRegression.of(points(load -> load / 2000, 600, 700)).orElseThrow().near()).isFalse();
        assertThat(UtilisationRegression.of(points(load -> load / 800, 700))).isEmpty();
    }

    private static double width(double[] cumulative) {
        return PosteriorEstimator.quantile(GRID, cumulative, 0.9) - PosteriorEstimator.quantile(GRID, cumulative, 0.1);
    }

    private static List<LevelPoint> points(java.util.function.DoubleUnaryOperator utilisation, double... loads) {
        return DoubleStream.of(loads).mapToObj(load -> new LevelPoint(load, utilisation.applyAsDouble(load), 6))
                .toList();
    }
}

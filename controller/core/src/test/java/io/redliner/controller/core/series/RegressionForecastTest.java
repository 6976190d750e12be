// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.limit.Precision;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.ProfileSettings.Regression;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.SutChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegressionForecastTest {

    private static final PlanLimits LIMITS = limits(null);

    private static PlanLimits limits(@Nullable Precision precision) {
        PlanLimits limits = PlanLimits.DEFAULT;
        return new PlanLimits(limits.maxShare(), limits.maxRaise(), limits.maxDuration(), limits.harmBudget(),
                limits.window(), precision);
    }

    @Test
    void more_rounds_find_less_and_a_precision_too() {
        assertThat(RegressionForecast.detectable(1, 0.05, 0.05)).isBetween(0.12, 0.17);
        assertThat(RegressionForecast.detectable(4, 0.05, 0.05)).isBetween(0.04, 0.06);
        assertThat(RegressionForecast.detectable(4, 0.02, 0.05))
                .isLessThan(RegressionForecast.detectable(4, 0.05, 0.05));
        assertThat(RegressionForecast.detectable(10, 0.05, 0.2)).as("less is called the same").isGreaterThan(0.15);
    }

    @Test
    void tells_the_author_of_a_plan() {
        assertThat(RegressionForecast.of(regression(1, 0.2), LIMITS))
                .startsWith("1 round (4 runs, about 14 minutes) will")
                .doesNotContain("takes");
        assertThat(RegressionForecast.of(regression(1, 0.05), LIMITS))
                .containsPattern("a change of 5 % takes [45] rounds \\(");
        assertThat(RegressionForecast.of(regression(10, 0.01), LIMITS)).contains("takes more than 10 rounds");
        assertThat(RegressionForecast.of(regression(1, 0.05), limits(new Precision(0.05))))
                .startsWith("1 round (4 runs) will");
    }

    /** With the spread and the intervals of the forecast, series see a change of the size that it names four times out of five. */
    @ParameterizedTest
    @CsvSource({"1, 0.05", "4, 0.05", "4, 0.1"})
    void finds_a_change_of_that_size_as_often_as_it_promises(int rounds, double worseBy) {
        double change = RegressionForecast.detectable(rounds, RegressionForecast.INTERVAL_ERROR, worseBy);
        Random random = new Random(1);
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            var compared = RegressionComparison.of(runs(random, rounds, 100), runs(random, rounds, 100 * (1 + change)),
                    worseBy,
                    true);
            found += compared.orElseThrow().verdict() == RegressionComparison.Verdict.BETTER ? 1 : 0;
        }

        assertThat(found / 2_000.0).isBetween(0.74, 0.86);
    }

    private static List<Measurement> runs(Random random, int rounds, double value) {
        List<Measurement> runs = new ArrayList<>();
        for (int run = 0; run < 2 * rounds; run++) {
            double measured = value * Math.exp(RegressionForecast.SPREAD * random.nextGaussian());
            runs.add(new Measurement(measured, RegressionForecast.INTERVAL_ERROR * measured));
        }
        return runs;
    }

    private static Regression regression(int rounds, double worseBy) {
        return new Regression(new SutChoice.Named("10.0.0.1:80"), new SutChoice.Named("10.0.0.2:80"), rounds,
                Regression.Compare.CAPACITY, Ratio.of(worseBy), null);
    }
}

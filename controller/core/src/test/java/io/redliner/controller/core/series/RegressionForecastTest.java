// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.controller.plan.ProfileSettings.Regression;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.SutChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegressionForecastTest {

    @Test
    void says_what_the_rounds_find_and_how_many_a_change_takes() {
        assertThat(RegressionForecast.detectable(1)).isEqualTo(0.165, within(0.01));
        assertThat(RegressionForecast.detectable(4)).isEqualTo(0.053, within(0.005));
        assertThat(RegressionForecast.rounds(0.05)).hasValue(5);
        assertThat(RegressionForecast.rounds(0.01)).isEmpty();
    }

    @Test
    void tells_the_author_of_a_plan() {
        assertThat(RegressionForecast.of(regression(1, 0.2)))
                .startsWith("1 round (4 runs, about 14 minutes)").contains("will find a change of 16")
                .doesNotContain("takes");
        assertThat(RegressionForecast.of(regression(1, 0.05))).contains("a change of 5 % takes 5 rounds (20 runs");
        assertThat(RegressionForecast.of(regression(10, 0.01))).contains("takes more than 10 rounds");
    }

    /** The forecast is the rule's own: of comparisons whose versions differ by the detectable change, 80 % see it. */
    @Test
    void finds_a_change_of_that_size_as_often_as_it_promises() {
        double change = RegressionComparison.detectableBeforehand(8, 0.03, 0.03);
        Random random = new Random(1);
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            var compared = RegressionComparison.of(runs(random, 100), runs(random, 100 * (1 + change)), 0.001, true);
            found += compared.orElseThrow().verdict() == RegressionComparison.Verdict.BETTER ? 1 : 0;
        }

        assertThat(found / 2_000.0).isBetween(0.75, 0.87);
    }

    private static List<Measurement> runs(Random random, double value) {
        List<Measurement> runs = new ArrayList<>();
        for (int run = 0; run < 8; run++) {
            double measured = value * Math.exp(0.03 * random.nextGaussian());
            runs.add(new Measurement(measured, 0.03 * measured));
        }
        return runs;
    }

    private static Regression regression(int rounds, double worseBy) {
        return new Regression(new SutChoice.Named("10.0.0.1:80"), new SutChoice.Named("10.0.0.2:80"), rounds,
                Regression.Compare.CAPACITY, Ratio.of(worseBy), null);
    }
}

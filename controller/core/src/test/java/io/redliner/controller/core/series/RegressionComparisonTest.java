// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RegressionComparisonTest {

    private static final double ERROR = 0.02;

    private double detectable;

    private double above;

    private double below;

    /** How many series each figure is of. */
    int series() {
        return 1_000;
    }

    /**
     * What is said of many series.
     *
     * @param rounds of old, new, new, old
     * @param change of the new one
     * @param understated by what factor runs differ more than their intervals tell
     * @param drift from one run to the next
     */
    private Map<RegressionComparison.Verdict, Double> said(int rounds, double change, double understated,
            double drift) {
        Random random = new Random(7);
        Map<RegressionComparison.Verdict, Double> said = new EnumMap<>(RegressionComparison.Verdict.class);
        detectable = 0;
        above = 0;
        below = 0;
        int series = series();
        for (int one = 0; one < series; one++) {
            List<Measurement> before = new ArrayList<>();
            List<Measurement> after = new ArrayList<>();
            for (int run = 0; run < 4 * rounds; run++) {
                boolean old = run % 4 == 0 || run % 4 == 3;
                double value = 400 * (old ? 1 : 1 + change)
                        * Math.exp(ERROR * understated * random.nextGaussian() + drift * run);
                (old ? before : after).add(new Measurement(value, ERROR * value));
            }
            RegressionComparison comparison = RegressionComparison.of(before, after, 0.05, true).orElseThrow();
            said.merge(comparison.verdict(), 1.0 / series, Double::sum);
            above += comparison.low() > 0 ? 1.0 / series : 0;
            below += comparison.high() < 0 ? 1.0 / series : 0;
            detectable += comparison.detectable() / series;
        }
        return said;
    }

    private static double part(Map<RegressionComparison.Verdict, Double> said, RegressionComparison.Verdict verdict) {
        return said.getOrDefault(verdict, 0.0);
    }

    @Test
    void equal_ones_are_rarely_called_different() {
        for (int rounds : new int[]{1, 2, 4}) {
            for (double understated : new double[]{0.5, 1, 1.4, 2}) {
                Map<RegressionComparison.Verdict, Double> said = said(rounds, 0, understated, 0);

                assertThat(part(said, RegressionComparison.Verdict.WORSE)
                        + part(said, RegressionComparison.Verdict.BETTER))
                        .as("%s rounds, intervals too narrow by %s", rounds, understated)
                        .isLessThan(understated <= 1 ? 0.05 : understated < 2 ? 0.08 : 0.12);
            }
        }
    }

    @Test
    void what_drifts_evenly_touches_both_alike() {
        Map<RegressionComparison.Verdict, Double> said = said(1, 0, 1, 0.01);

        assertThat(part(said, RegressionComparison.Verdict.WORSE) + part(said, RegressionComparison.Verdict.BETTER))
                .isLessThan(0.06);
    }

    @Test
    void a_change_as_large_as_is_said_to_be_detectable_is_detected_four_times_out_of_five() {
        for (int rounds : new int[]{1, 2, 4}) {
            said(rounds, 0, 1, 0);
            double change = detectable;

            said(rounds, change, 1, 0);
            assertThat(above).as("%s rounds, %s", rounds, change).isBetween(0.7, 0.95);
            said(rounds, 1 / (1 + change) - 1, 1, 0);
            assertThat(below).as("%s rounds, %s", rounds, change).isBetween(0.7, 0.95);
        }
    }

    @Test
    void the_same_is_earned_and_not_the_lack_of_a_difference() {
        assertThat(part(said(1, 0, 1, 0), RegressionComparison.Verdict.SAME)).isLessThan(0.75);
        assertThat(part(said(4, 0, 1, 0), RegressionComparison.Verdict.SAME)).isGreaterThan(0.9);
        assertThat(part(said(1, -0.05, 1, 0), RegressionComparison.Verdict.SAME)).isLessThan(0.06);
        assertThat(part(said(4, -0.05, 1, 0), RegressionComparison.Verdict.SAME)).isLessThan(0.06);
    }

    @Test
    void more_latency_is_worse() {
        List<Measurement> before = List.of(new Measurement(0.1, 0.001), new Measurement(0.1, 0.001));
        List<Measurement> after = List.of(new Measurement(0.12, 0.001), new Measurement(0.12, 0.001));

        RegressionComparison comparison = RegressionComparison.of(before, after, 0.05, false).orElseThrow();

        assertThat(comparison.verdict()).isEqualTo(RegressionComparison.Verdict.WORSE);
        assertThat(comparison.change()).isEqualTo(0.2, within(1e-9));
        assertThat(RegressionComparison.of(before, List.of(), 0.05, false)).isEmpty();
    }
}

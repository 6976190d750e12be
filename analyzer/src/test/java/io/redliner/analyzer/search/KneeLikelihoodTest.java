// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.KneeLikelihood.Exponentials;
import io.redliner.analyzer.search.KneeLikelihood.Nearness;
import io.redliner.analyzer.search.KneeLikelihood.Saturation;
import io.redliner.analyzer.search.KneeSettings.Clump;
import io.redliner.analyzer.search.KneeSettings.Slope;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Against posteriors that the executable reference of the design (Python, numpy) computed from the same steps. */
class KneeLikelihoodTest {

    /** The grids of the reference. */
    private static final KneeSettings REFERENCE = new KneeSettings(new KneeSettings.Grid(0.005,
            List.of(5.0, 8.0, 12.0, 18.0, 27.0, 40.0, 60.0, 90.0).stream().map(slope -> new Slope(slope, 1)).toList(),
            List.of(0.01, 0.05, 0.15, 0.35, 0.65, 0.85),
            List.of(new Clump(0.15, Math.log(0.5)), new Clump(0.3, Math.log(2)), new Clump(0.6, Math.log(2)),
                    new Clump(1.2, Math.log(1.5)), new Clump(4, 0), new Clump(30, Math.log(0.5)))),
            new KneeSettings.SteepnessPrior(35, 0.9), 0.08, 3e-5, 10, 0.05, 0.8);

    /** The likelihood is kept in single precision. */
    private static final double TOLERANCE = 1e-5;

    private static final double[] PARTS = {0.025, 0.35, 0.5, 0.85, 0.975};

    /**
     * One case.
     *
     * @param near the load that the prior is about
     * @param saturation throughput and its relative error; empty for none
     * @param blocks load, requests, exceeding, seconds, and 1 for one that was cut off
     * @param quantiles of {@link #PARTS}
     */
    record Golden(String name, double allowed, double low, double high, double tempering, double near, double widening,
            List<Double> saturation, List<List<Double>> blocks, List<Double> quantiles) {

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Golden> references() throws IOException {
        try (InputStream file = KneeLikelihoodTest.class.getResourceAsStream("posteriors.json")) {
            return Arrays.asList(
                    JsonMapper.builder().build().readValue(Objects.requireNonNull(file), Golden[].class));
        }
    }

    @ParameterizedTest
    @MethodSource("references")
    void believes_what_the_reference_believes(Golden golden) {
        double[] grid = grid(golden.low, golden.high);

        double[] cumulative = PosteriorEstimator.cumulative(posterior(golden, grid));

        for (int i = 0; i < PARTS.length; i++) {
            double expected = golden.quantiles.get(i);
            assertThat(PosteriorEstimator.quantile(grid, cumulative, PARTS[i])).as("quantile %s", PARTS[i])
                    .isCloseTo(expected, within(TOLERANCE * expected));
        }
    }

    @ParameterizedTest
    @MethodSource("references")
    void points_of_the_lattice_are_near_enough_to_each_other(Golden golden) {
        double[] lattice = KneeLikelihood.grid(golden.low, golden.high, KneeSettings.DEFAULT);
        double[] fine = LatticeRefinement.grid(lattice);

        double[] refined = PosteriorEstimator.centred(LatticeRefinement.weights(posterior(golden, lattice)));
        double[] computed = PosteriorEstimator.centred(posterior(golden, fine));

        for (double part : PARTS) {
            double expected = PosteriorEstimator.quantile(fine, computed, part);
            assertThat(PosteriorEstimator.quantile(fine, refined, part)).as("quantile %s", part)
                    .isCloseTo(expected, within(1e-3 * expected));
        }
    }

    private static double[] posterior(Golden golden, double[] grid) {
        var likelihood = new KneeLikelihood(new AllowedRatio(golden.allowed, true), grid, REFERENCE);
        golden.blocks.forEach(block -> likelihood.add(
                new ExceedancePoint(block.get(0), block.get(1), block.get(2), block.get(3), block.get(4) > 0)));
        return new Nearness(golden.near, golden.widening).applied(grid,
                likelihood.posterior(golden.tempering, golden.saturation.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Saturation(golden.saturation.get(0), golden.saturation.get(1)))),
                REFERENCE.nearness());
    }

    @Test
    void a_grid_that_grew_says_what_one_says_that_was_as_wide_from_the_beginning() {
        double[] narrow = KneeLikelihood.grid(180, 260, REFERENCE);
        double[] wide = KneeLikelihood.grid(150, 330, REFERENCE);
        var allowedRatio = new AllowedRatio(0.01, true);
        var grown = new KneeLikelihood(allowedRatio, narrow, REFERENCE);
        var atOnce = new KneeLikelihood(allowedRatio, wide, REFERENCE);
        var blocks = List.of(new ExceedancePoint(190, 1_140, 2, 6, false), new ExceedancePoint(230, 900, 70, 4, true),
                new ExceedancePoint(205, 1_230, 8.5, 6, false), new ExceedancePoint(210, 1_260, 0, 6, false));

        blocks.subList(0, 2).forEach(grown::add);
        grown.grow(wide);
        blocks.subList(2, 4).forEach(grown::add);
        blocks.forEach(atOnce::add);

        assertThat(grown.lnCapacity()).isEqualTo(wide);
        assertThat(grown.posterior(0.5, Optional.empty())).isEqualTo(atOnce.posterior(0.5, Optional.empty()));
    }

    @Test
    void grids_share_their_points() {
        double[] grid = KneeLikelihood.grid(100, 200, REFERENCE);

        assertThat(Math.exp(grid[0])).isBetween(99.4, 100.0);
        assertThat(Math.exp(grid[grid.length - 1])).isBetween(200.0, 201.0);
        assertThat(KneeLikelihood.grid(90, 250, REFERENCE)).contains(grid);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-3, 0.3, 1, 7.77, 24.99, 25, 1e3, Double.POSITIVE_INFINITY})
    void exponentials_are_exact_enough_for_single_precision(double below) {
        double exact = -3 + Math.log1p(Math.exp(-below));

        assertThat(Exponentials.lnSum(-3, -3 - below)).isCloseTo(exact, within(1e-5));
        assertThat(Exponentials.lnSum(-3 - below, -3)).isCloseTo(exact, within(1e-5));
        assertThat(Exponentials.exp(-below)).isCloseTo(Math.exp(-below), within(1e-5 * Math.exp(-below) + 1.4e-11));
    }

    private static double[] grid(double low, double high) {
        double[] grid = new double[121];
        Arrays.setAll(grid, i -> Math.log(low) + Math.log(high / low) * i / (grid.length - 1));
        return grid;
    }
}

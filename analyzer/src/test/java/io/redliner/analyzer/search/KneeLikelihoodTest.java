// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** Against posteriors that the executable reference of the design (Python, numpy) computed from the same dwells. */
class KneeLikelihoodTest {

    /** The grids of the reference. */
    private static final KneeSettings REFERENCE = new KneeSettings(121,
            List.of(5.0, 8.0, 12.0, 18.0, 27.0, 40.0, 60.0, 90.0).stream().map(slope -> new Slope(slope, 1)).toList(),
            35, 0.9, List.of(0.01, 0.05, 0.15, 0.35, 0.65, 0.85),
            List.of(new Clump(0.15, Math.log(0.5)), new Clump(0.3, Math.log(2)), new Clump(0.6, Math.log(2)),
                    new Clump(1.2, Math.log(1.5)), new Clump(4, 0), new Clump(30, Math.log(0.5))),
            0.08, 3e-5, 10, 0.05, 0.8);

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
        var likelihood = new KneeLikelihood(new AllowedRatio(golden.allowed, true), golden.low, golden.high, REFERENCE);
        golden.blocks.forEach(block -> likelihood.add(
                new ExceedancePoint(block.get(0), block.get(1), block.get(2), block.get(3), block.get(4) > 0)));

        var posterior = likelihood.posterior(golden.tempering, new Nearness(golden.near, golden.widening),
                golden.saturation.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Saturation(golden.saturation.get(0), golden.saturation.get(1))));

        double[] grid = grid(golden.low, golden.high);
        double[] cumulative = PosteriorEstimator.cumulative(posterior);
        for (int i = 0; i < PARTS.length; i++) {
            double expected = golden.quantiles.get(i);
            assertThat(PosteriorEstimator.quantile(grid, cumulative, PARTS[i])).as("quantile %s", PARTS[i]).isCloseTo(
                    expected,
                    within(TOLERANCE * expected));
        }
    }

    private static double[] grid(double low, double high) {
        double[] grid = new double[REFERENCE.loads()];
        Arrays.setAll(grid, i -> Math.log(low) + Math.log(high / low) * i / (grid.length - 1));
        return grid;
    }
}

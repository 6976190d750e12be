// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.StepEvidence.Exposure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CollapseHazardTest {

    private static final double[] GRID = IntStream.rangeClosed(0, 120).mapToDouble(i -> Math.log(500) + i * 0.005)
            .toArray();

    private static final BaselineProfile BASE = new BaselineProfile(300, 0.01,
            Map.of("latency#0", new AllowedRatio(0.01, true)), Map.of(),
            Map.of(), LoadTotals.EMPTY);

    @Test
    void the_capacity_lies_below_the_load_that_collapsed() {
        assertThat(median(new Exposure(700, 10, true, Map.of()))).isBetween(560.0, 690.0);
    }

    @Test
    void time_without_a_collapse_raises_it() {
        double before = median(new Exposure(700, 10, true, Map.of()), new Exposure(660, 7, false, Map.of()));
        double after = median(new Exposure(700, 10, true, Map.of()), new Exposure(660, 600, false, Map.of()));

        assertThat(after).isGreaterThan(before + 5);
    }

    @Test
    void a_collapse_at_a_lower_load_brings_it_down() {
        assertThat(median(new Exposure(700, 10, true, Map.of()), new Exposure(640, 10, true, Map.of())))
                .isLessThan(median(new Exposure(700, 10, true, Map.of())));
    }

    @Test
    void the_strictest_of_the_limits_that_collapses_broke_says_what_is_allowed() {
        var two = new BaselineProfile(300, 0.01, Map.of("latency#0", new AllowedRatio(0.5, true), "latency#1",
                new AllowedRatio(0.001, true)), Map.of(), Map.of(), LoadTotals.EMPTY);
        var collapse = new Exposure(700, 10, true, Map.of());

        assertThat(median(two, Set.of("latency#0", "latency#1"), collapse))
                .isEqualTo(median(two, Set.of("latency#1"), collapse))
                .isLessThan(median(two, Set.of("latency#0"), collapse) - 20);
    }

    private static double median(Exposure... exposures) {
        return median(BASE, Set.of(), exposures);
    }

    private static double median(BaselineProfile base, Set<String> broken, Exposure... exposures) {
        return PosteriorEstimator.quantile(GRID, CollapseHazard.cumulative(GRID, List.of(exposures), base, broken),
                0.5);
    }
}

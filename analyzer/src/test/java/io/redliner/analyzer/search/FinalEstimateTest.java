// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.LoadCurve.Point;
import io.redliner.analyzer.search.SutSignals.Crowding;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class FinalEstimateTest {

    /**
     * A run of the lab with what the study (Python, numpy) made of it.
     *
     * @param points logarithm of the load, requests, exceeding of each piece
     * @param saturation seconds, completed
     * @param steps capacity, low, high
     * @param curve ln capacity, spread, elasticity
     * @param answer capacity, low, high
     */
    record Golden(String name, double allowed, List<List<Double>> points, List<Double> saturation, List<Double> steps,
            List<Double> curve, List<Double> answer) {

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Golden> goldens() throws IOException {
        try (InputStream file = FinalEstimateTest.class.getResourceAsStream("final-estimates.json")) {
            return Arrays.asList(
                    JsonMapper.builder().build().readValue(Objects.requireNonNull(file), Golden[].class));
        }
    }

    private static CapacityEstimate steps(double capacity, double low, double high) {
        return new CapacityEstimate(capacity, low, high, OptionalDouble.empty(), Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void answers_what_the_study_answered(Golden golden) {
        var curve = LoadCurve.fit(golden.points.stream()
                .map(point -> new Point(point.getFirst(), point.get(1), point.get(2))).toList(), golden.allowed)
                .orElseThrow();
        var answer = FinalEstimate.combined(steps(golden.steps.getFirst(), golden.steps.get(1), golden.steps.get(2)),
                curve, new Crowding(false, golden.saturation.getFirst(), golden.saturation.get(1)));

        assertThat(curve.lnCapacity()).isCloseTo(golden.curve.getFirst(), within(1e-3));
        assertThat(curve.spread()).isCloseTo(golden.curve.get(1), within(1e-3 + 0.01 * golden.curve.get(1)));
        assertThat(Math.log(answer.capacity() / golden.answer.getFirst())).isCloseTo(0, within(1e-3));
        assertThat(Math.log(answer.low() / golden.answer.get(1))).isCloseTo(0, within(1e-3));
        assertThat(Math.log(answer.high() / golden.answer.get(2))).isCloseTo(0, within(1e-3));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "1, 300", "500, 30", "30000, 2", "30000, 300", "1000000, 1", "0.1, 1000"})
    void pieces_that_agree_with_the_steps_move_the_answer_by_a_few_percent_at_most(double capacity, double elasticity) {
        var answer = FinalEstimate.combined(steps(capacity, 0.9 * capacity, 1.1 * capacity),
                new LoadCurve(Math.log(capacity), 0.01, elasticity), Crowding.NONE);

        assertThat(answer.capacity() / capacity).isCloseTo(1, within(0.045));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.0001, 0.005, 0.02, 0.3, 3})
    void the_capacity_lies_inside_its_interval_which_is_never_far_narrower_than_that_of_the_steps(double spread) {
        for (double width : new double[]{0.001, 0.02, 0.1, 0.5, 0.9}) {
            var answer = FinalEstimate.combined(steps(1_000, 1_000 * (1 - width), 1_000 / (1 - width)),
                    new LoadCurve(Math.log(1_020), spread, 30), Crowding.NONE);

            assertThat(answer.low()).isPositive().isLessThan(answer.capacity());
            assertThat(answer.high()).isFinite().isGreaterThan(answer.capacity());
            assertThat(Math.log(answer.capacity() / answer.low())).isGreaterThanOrEqualTo(
                    -0.3 * Math.log(1 - width) - 1e-9);
            assertThat(Math.log(answer.high() / answer.capacity())).isGreaterThanOrEqualTo(
                    -0.3 * Math.log(1 - width) - 1e-9);
        }
    }

    @Test
    void the_surer_the_pieces_are_the_more_they_count_and_the_narrower_is_the_interval() {
        var sure = FinalEstimate.combined(steps(1_000, 900, 1_100), new LoadCurve(Math.log(1_100), 0.005, 30),
                Crowding.NONE);
        var unsure = FinalEstimate.combined(steps(1_000, 900, 1_100), new LoadCurve(Math.log(1_100), 0.1, 30),
                Crowding.NONE);

        assertThat(sure.capacity()).isBetween(1_040.0, 1_100.0);
        assertThat(unsure.capacity()).isBetween(980.0, 1_020.0);
        assertThat(sure.high() / sure.low()).isLessThan(unsure.high() / unsure.low());
    }

    @Test
    void throughput_in_saturation_draws_the_answer_unless_it_was_seen_too_shortly() {
        var curve = new LoadCurve(Math.log(1_000), 0.02, 30);
        double without = FinalEstimate.combined(steps(1_000, 900, 1_100), curve, Crowding.NONE).capacity();

        assertThat(FinalEstimate.combined(steps(1_000, 900, 1_100), curve, new Crowding(true, 20, 18_000)).capacity())
                .isBetween(0.95 * without, 0.98 * without);
        assertThat(FinalEstimate.combined(steps(1_000, 900, 1_100), curve, new Crowding(true, 1, 900)).capacity())
                .isEqualTo(without);
    }

    @Test
    void the_answer_by_steps_stays_where_the_pieces_say_nothing_or_something_else_is_the_limit() {
        var last = SimulatedRun.ordinary(1).stream().map(SimulatedRun.Moment::state)
                .filter(SearchPhaseState.Confirming.class::isInstance).map(SearchPhaseState.Confirming.class::cast)
                .reduce((earlier, later) -> later).orElseThrow();
        var history = last.history();
        var posterior = history.posterior().orElseThrow();
        var estimate = steps(posterior.capacity(), posterior.low(), posterior.high());
        var without = new SearchContext(last.common().signals(), last.common().watch(), 0, 0, last.common().advice(),
                LoadPieces.NONE);
        var stalling = history.withPosterior(new CapacityPosterior(posterior.capacity(), posterior.low(),
                posterior.high(), posterior.tracked(), posterior.quiet(), SearchHistory.STALL), true);
        var natural = new BaselineProfile(1.1 * posterior.capacity(), last.base().latency(), last.base().allowed(),
                last.base().floors(), last.base().approach(), last.base().pending());

        assertThat(FinalEstimate.of(estimate, history, last.base(), last.common())).isPresent();
        assertThat(FinalEstimate.of(estimate, history, last.base(), without)).isEmpty();
        assertThat(FinalEstimate.of(estimate, history.collapsing(), last.base(), last.common())).isEmpty();
        assertThat(FinalEstimate.of(estimate, stalling, last.base(), last.common())).isEmpty();
        assertThat(FinalEstimate.of(estimate, history, natural, last.common())).as("below the natural load")
                .isEmpty();
    }
}

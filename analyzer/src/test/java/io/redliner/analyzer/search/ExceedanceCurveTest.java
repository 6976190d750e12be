// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.ExceedanceCurve.FittedPoint;
import io.redliner.analyzer.search.ExceedanceCurve.LoadGroup;
import io.redliner.analyzer.search.SimulatedServer.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExceedanceCurveTest {

    private static final String LATENCY = "latency.p99 <= duration('50ms')";

    private static final AllowedRatio ALLOWED = new AllowedRatio(0.01, true);

    private final BayesianCapacitySearch search = new BayesianCapacitySearch(SearchSettings.defaults());

    private static ExceedancePoint step(double load, double requests, double exceeding) {
        return new ExceedancePoint(load, requests, exceeding, 6, false);
    }

    @Test
    void hundreds_of_steps_are_summed_with_their_neighbours_and_none_is_lost() {
        var random = new Random(1);
        var steps = new ArrayList<ExceedancePoint>();
        for (int i = 0; i < 700; i++) {
            steps.add(new ExceedancePoint(100 + 200 * random.nextDouble(), 1_000, random.nextInt(20), 6, i % 7 == 0));
        }

        var groups = ExceedanceCurve.groups(steps);

        assertThat(groups).hasSizeBetween(8, 16)
                .isSortedAccordingTo(Comparator.comparingDouble(LoadGroup::requestsPerSecond));
        assertThat(groups.stream().mapToInt(LoadGroup::steps).sum()).isEqualTo(700);
        assertThat(groups.stream().mapToDouble(LoadGroup::requests).sum()).isCloseTo(700_000, within(1e-6));
        assertThat(groups.stream().filter(LoadGroup::censored).mapToInt(LoadGroup::steps).sum()).isEqualTo(100);
    }

    @Test
    void few_steps_stay_by_themselves_and_a_load_without_exceedances_too() {
        assertThat(ExceedanceCurve.groups(List.of(step(0.3, 2, 0))))
                .containsExactly(new LoadGroup(0.3, 1, 2, 0, false));
        assertThat(ExceedanceCurve.groups(List.of(step(80_000, 480_000, 10), step(79_000, 474_000, 0))))
                .containsExactly(new LoadGroup(79_000, 1, 474_000, 0, false),
                        new LoadGroup(80_000, 1, 480_000, 10, false));
        assertThat(ExceedanceCurve.groups(List.of())).isEmpty();
    }

    @Test
    void steps_near_the_knee_are_not_all_one_group() {
        var steps = new ArrayList<>(List.of(step(50, 250, 0), step(70, 350, 0), step(100, 500, 0), step(150, 750, 0)));
        for (int i = 0; i < 30; i++) {
            steps.add(step(260 + i, 6_000, i));
        }

        assertThat(ExceedanceCurve.groups(steps)).filteredOn(group -> group.requestsPerSecond() > 250)
                .hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 273, 80_000})
    void the_curve_reaches_what_is_allowed_at_the_capacity_and_its_ends_at_those_of_the_interval(double capacity) {
        var fit = fit(new CapacityEstimate(capacity, 0.95 * capacity, 1.1 * capacity, OptionalDouble.empty(),
                Optional.empty()));

        assertThat(fit.at(capacity).ratio()).isCloseTo(0.01, within(1e-9));
        assertThat(fit.at(0.95 * capacity).high()).isCloseTo(0.01, within(0.0015));
        assertThat(fit.at(1.1 * capacity).low()).isCloseTo(0.01, within(0.0015));
        var points = new double[]{0.01, 0.5, 0.9, 1, 1.1, 2, 1_000};
        assertThat(Arrays.stream(points).mapToObj(part -> fit.at(part * capacity)).toList())
                .isSortedAccordingTo(Comparator.comparingDouble(FittedPoint::ratio))
                .allMatch(it -> 0 <= it.low() && it.low() <= it.ratio() && it.ratio() <= it.high() && it.high() <= 1);
    }

    @Test
    void the_part_that_short_steps_show_is_that_of_the_steepness() {
        assertThat(fit(new CapacityEstimate(100, 95, 105, OptionalDouble.empty(), Optional.empty())).shownPart())
                .isBetween(0.4, 1.0);
    }

    /** Counts as of a knee at the estimate, of a steepness of 18. */
    private static ExceedanceFit fit(CapacityEstimate estimate) {
        var likelihood = new KneeLikelihood(ALLOWED,
                KneeLikelihood.grid(0.8 * estimate.capacity(), 1.3 * estimate.capacity(), KneeSettings.DEFAULT),
                KneeSettings.DEFAULT);
        for (double part : new double[]{0.85, 0.9, 0.95, 1}) {
            likelihood.add(step(part * estimate.capacity(), 20_000, Math.rint(200 * Math.pow(part, 18))));
        }
        return new ExceedanceFit(likelihood.lnCapacity(), likelihood.shapes(1, Optional.empty()), estimate, ALLOWED,
                KneeSettings.DEFAULT.grid());
    }

    private ExceedanceCurve curve(SimulatedRun run) {
        run.follow(search);
        var last = run.moments.getLast();
        return search.curve(last.state(), last.window().sla()).orElseThrow();
    }

    private static SimulatedRun run(double largestShare, long seed, String... sla) {
        return new SimulatedRun(Kind.ORDINARY, SimulatedRun.sla(sla), 1, 350, 0.2, largestShare, seed);
    }

    @Test
    void a_search_that_found_the_capacity_shows_what_it_counted_and_fitted() {
        var run = run(0.6, 11, LATENCY);

        var curve = curve(run);

        var estimate = run.moments.getLast().advice().estimate().orElseThrow();
        assertThat(curve.rule()).isEqualTo("latency.p99");
        assertThat(curve.latencyLimit()).hasValue(0.05);
        assertThat(curve.allowedRatio()).isCloseTo(0.01, within(1e-9));
        assertThat(curve.unfitted()).isEmpty();
        assertThat(curve.loads()).hasSizeGreaterThan(5);
        assertThat(curve.fit()).extracting(FittedPoint::requestsPerSecond).contains(estimate.low(), estimate.capacity(),
                estimate.high()).isSorted();
        assertThat(curve.fit()).filteredOn(point -> point.requestsPerSecond() == estimate.capacity())
                .allSatisfy(point -> assertThat(point.ratio()).isCloseTo(0.01, within(1e-6)));
        // The fit is near what was counted where much was counted.
        var most = curve.loads().stream().max(Comparator.comparingDouble(LoadGroup::requests)).orElseThrow();
        var there = curve.fit().stream()
                .filter(point -> point.requestsPerSecond() == most.requestsPerSecond()).findFirst().orElseThrow();
        double counted = most.exceeding() / most.requests() / curve.shownPart();
        assertThat(counted).isBetween(0.4 * there.low(), 2.5 * there.high());
    }

    @Test
    void an_ended_search_shows_the_same_after_another_process_took_it_over() {
        var run = run(0.6, 11, LATENCY);
        var curve = curve(run);

        var last = run.moments.getLast();
        assertThat(new BayesianCapacitySearch(SearchSettings.defaults()).curve(last.state(), last.window().sla()))
                .contains(curve);
    }

    @Test
    void a_search_that_something_else_ended_shows_how_far_it_came() {
        var gate = new NoiseGate(SearchSettings.defaults());
        var run = run(0.6, 11, LATENCY);
        run.follow(gate);
        var cutOff = run.moments.get(run.moments.size() - 2);

        var curve = gate.curve(cutOff.state(), cutOff.window().sla()).orElseThrow();

        assertThat(cutOff.state().ended()).isFalse();
        assertThat(curve.fit()).isNotEmpty();
        assertThat(curve.loads().stream().mapToInt(LoadGroup::steps).sum())
                .isLessThanOrEqualTo(gate.curve(run.moments.getLast().state(), cutOff.window().sla()).orElseThrow()
                        .loads().stream().mapToInt(LoadGroup::steps).sum());
    }

    @Test
    void traffic_that_ends_before_the_knee_leaves_counts_without_a_curve() {
        var curve = curve(run(0.3, 16, LATENCY));

        assertThat(curve.loads()).isNotEmpty();
        assertThat(curve.fit()).isEmpty();
        assertThat(curve.unfitted()).isEqualTo("the search did not reach the knee");
        assertThat(curve.shownPart()).isEqualTo(1);
    }

    @Test
    void a_limit_on_a_level_has_no_curve_and_says_so() {
        var run = new SimulatedRun(Kind.ORDINARY, SimulatedRun.sla(LATENCY, "cpu <= 0.8"), 1, 350, 0.2, 0.6, 20);

        var curve = curve(run);

        assertThat(curve.rule()).isEqualTo("cpu");
        assertThat(curve.loads()).isEmpty();
        assertThat(curve.unfitted()).isEqualTo("what limits is cpu, which is not about a part of the requests");
    }

    @Test
    void before_the_first_ramp_has_ended_there_is_nothing_to_show() {
        var run = run(0.6, 11, LATENCY);
        run.follow(search);
        var first = run.moments.getFirst();

        assertThat(search.curve(first.state(), first.window().sla())).isEmpty();
    }
}

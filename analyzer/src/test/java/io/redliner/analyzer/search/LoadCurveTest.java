// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.LoadCurve.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.PoissonDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.Test;

/** The capacity is 1 000 requests/s: at that load one of a hundred requests is slow. */
class LoadCurveTest {

    private static final double CAPACITY = 1_000;

    private static final double ALLOWED = 0.01;

    private static final int SEEDS = 50;

    /** The part of slow requests at a load, whose logarithm grows by the elasticity with that of the load. */
    private static double part(double load, double elasticity) {
        double lnAllowed = -Math.log(ALLOWED);
        return Math.exp(-lnAllowed * Math.pow(load / CAPACITY, -elasticity / lnAllowed));
    }

    private static double poisson(RandomGenerator random, double mean) {
        return mean > 1e-9
                ? new PoissonDistribution(random, mean, PoissonDistribution.DEFAULT_EPSILON, 1_000_000).sample()
                : 0;
    }

    /** Forty pieces of three thousand requests at 0.95 to 1.03 of the capacity. */
    private static List<Point> pieces(long seed, double lump) {
        var random = new Well19937c(seed);
        return IntStream.range(0, 40).mapToObj(i -> {
            double load = CAPACITY * (0.95 + 0.08 * i / 39);
            return new Point(Math.log(load), 3_000, lump * poisson(random, 3_000 * part(load, 30) / lump));
        }).toList();
    }

    private static LoadCurve fit(List<Point> points) {
        return LoadCurve.fit(points, ALLOWED).orElseThrow();
    }

    private static double error(LoadCurve curve) {
        return curve.lnCapacity() - Math.log(CAPACITY);
    }

    private static double rootMeanSquare(IntToDoubleFunction error) {
        return Math.sqrt(IntStream.range(0, SEEDS).mapToDouble(error).map(it -> it * it).average().orElseThrow());
    }

    private static double meanSpread(double lump) {
        return IntStream.range(0, SEEDS).mapToDouble(seed -> fit(pieces(seed, lump)).spread()).average().orElseThrow();
    }

    @Test
    void forty_pieces_of_independent_requests_know_the_capacity_to_less_than_one_percent_and_say_so() {
        double error = rootMeanSquare(seed -> error(fit(pieces(seed, 1))));

        assertThat(error).isLessThan(0.005);
        assertThat(meanSpread(1)).as("with what the model leaves out").isBetween(error, 0.005);
    }

    @Test
    void requests_that_are_slow_together_make_the_capacity_less_certain() {
        assertThat(rootMeanSquare(seed -> error(fit(pieces(seed, 50))))).isLessThan(0.02);
        assertThat(meanSpread(50)).isGreaterThan(1.5 * meanSpread(1));
    }

    @Test
    void traffic_that_moves_inside_a_step_moves_no_capacity() {
        double perSecond = meanError(1);
        double perStep = meanError(10);

        assertThat(perSecond).isCloseTo(0, within(0.003));
        assertThat(perStep).as("by the mean load of each step").isLessThan(-0.004);
    }

    /** The load of each second has a deviation of 2 % and a memory of five seconds; steps of ten seconds at 10 000 requests/s. */
    private static double meanError(int secondsEach) {
        return IntStream.range(0, 20).mapToDouble(seed -> {
            var random = new Well19937c(seed);
            var points = new ArrayList<Point>();
            double deviation = 0;
            for (int i = 0; i < 120 / secondsEach; i++) {
                double load = 0;
                double slow = 0;
                for (int second = 0; second < secondsEach; second++) {
                    double keep = Math.exp(-1 / 5.0);
                    deviation = keep * deviation + 0.02 * Math.sqrt(1 - keep * keep)
                            * new NormalDistribution(random, 0, 1).sample();
                    double target = CAPACITY * (0.96 + 0.005 * (i * secondsEach / 10 % 10));
                    double now = target * Math.exp(deviation);
                    load += now / secondsEach;
                    slow += poisson(random, 10 * now * part(now, 100));
                }
                points.add(new Point(Math.log(load), 10 * load * secondsEach, slow));
            }
            return error(fit(points));
        }).average().orElseThrow();
    }

    @Test
    void one_outlier_of_forty_pieces_hardly_moves_the_capacity() {
        double moved = IntStream.range(0, 10).mapToDouble(seed -> {
            var pieces = new ArrayList<>(pieces(seed, 1));
            pieces.set(20, new Point(pieces.get(20).lnLoad(), 3_000, 3_000));
            return fit(pieces).lnCapacity() - fit(pieces(seed, 1)).lnCapacity();
        }).average().orElseThrow();

        assertThat(moved).isBetween(-0.015, 0.0);
    }

    @Test
    void a_capacity_far_from_all_loads_is_not_extrapolated() {
        var pieces = IntStream.range(0, 40).mapToObj(i -> new Point(Math.log(500 + i), 3_000, 1))
                .toList();

        var curve = LoadCurve.fit(pieces, 0.005).orElseThrow();

        assertThat(curve.lnCapacity()).isBetween(Math.log(540), Math.log(540) + 0.5);
        assertThat(curve.spread()).isGreaterThan(0.03);
    }

    @Test
    void any_counts_have_a_curve_with_finite_figures() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Well19937c(seed);
            var points = IntStream.range(0, 4 + seed % 60).mapToObj(i -> {
                double requests = 1 + random.nextInt(3_000);
                return new Point(Math.log(900 + 200 * random.nextDouble()), requests,
                        random.nextInt(4) == 0 ? requests * random.nextDouble() : random.nextInt(20));
            }).toList();

            LoadCurve.fit(points, ALLOWED).ifPresent(curve -> {
                assertThat(curve.lnCapacity()).isBetween(Math.log(400), Math.log(2_000));
                assertThat(curve.spread()).isFinite().isPositive();
                assertThat(curve.elasticity()).isFinite().isPositive();
            });
        }
    }

    @Test
    void few_pieces_and_few_slow_requests_say_nothing() {
        assertThat(LoadCurve.fit(pieces(1, 1).subList(0, 3), ALLOWED)).isEmpty();
        assertThat(LoadCurve.fit(IntStream.range(0, 40).mapToObj(i -> new Point(Math.log(900), 300, i < 2 ? 1 : 0))
                .toList(), ALLOWED)).isEmpty();
        assertThat(LoadCurve.fit(IntStream.range(0, 40).mapToObj(i -> new Point(Math.log(900), 30_000, i < 4 ? 1 : 0))
                .toList(), ALLOWED)).isEmpty();
    }

    @Test
    void pieces_in_another_order_have_the_same_capacity() {
        assertThat(fit(pieces(3, 1).reversed()).lnCapacity()).isCloseTo(fit(pieces(3, 1)).lnCapacity(), within(1e-9));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UniversalScalabilityFitTest {

    @Test
    void finds_the_coefficients_that_the_points_were_made_with() {
        var law = UniversalScalabilityFit.fit(points(995.6, 0.0267, 0.00769, 0, 40)).orElseThrow();

        assertThat(law.lambda()).isCloseTo(995.6, within(1.0));
        assertThat(law.sigma()).isCloseTo(0.0267, within(1e-4));
        assertThat(law.kappa()).isCloseTo(0.00769, within(1e-5));
        assertThat(law.peak()).isCloseTo(Math.sqrt((1 - 0.0267) / 0.00769), within(0.1));
        assertThat(law.retrograde()).isTrue();
        assertThat(law.explained()).isGreaterThan(0.999);
    }

    @Test
    void its_errors_cover_the_truth_in_about_95_of_100_fits_with_noise() {
        long covered = IntStream.range(0, 400).filter(seed -> {
            var law = UniversalScalabilityFit.fit(points(500, 0.05, 0.002, 0.1, seed)).orElseThrow();
            return Math.abs(law.lambda() - 500) <= 2.1 * law.lambdaError();
        }).count();

        assertThat(covered).isBetween(360L, 396L);
    }

    @Test
    void a_server_that_only_queues_is_not_called_retrograde() {
        for (int seed = 0; seed < 100; seed++) {
            assertThat(UniversalScalabilityFit.fit(points(500, 0.1, 0, 0.1, seed)).orElseThrow().retrograde())
                    .isFalse();
        }
    }

    @Test
    void points_that_are_too_few_or_too_much_alike_give_no_law() {
        assertThat(UniversalScalabilityFit.fit(list(new double[][]{{1, 10}, {2, 19}, {3, 26}, {4, 32}}))).isEmpty();
        assertThat(UniversalScalabilityFit
                .fit(list(new double[][]{{5, 10}, {5, 11}, {5.1, 10}, {5, 9}, {5.2, 10}, {5, 10}}))).isEmpty();
        assertThat(UniversalScalabilityFit.fit(list(new double[][]{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}})))
                .isEmpty();
    }

    @Test
    void points_that_make_no_sense_do_no_harm() {
        var law = UniversalScalabilityFit
                .fit(list(new double[][]{{0.1, 1e9}, {4, 1e-9}, {9, 1e12}, {12, 3}, {15, 1e-3}, {30, 8}}));

        law.ifPresent(it -> assertThat(it.figures()).allMatch(figure -> Double.isFinite(figure.value())));
    }

    /** A queue of four workers: throughput follows the load until they are busy, and stays there. */
    @Test
    void a_queue_whose_length_sways_at_its_limit_is_not_called_retrograde() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            var points = IntStream.range(0, 24).mapToObj(i -> {
                double load = Math.min(400, 175 + 12.0 * i);
                double inFlight = load < 390 ? load / 100 / (1 - load / 420) : 20 + 15 * random.nextDouble();
                return new UniversalScalabilityFit.Point(inFlight, load + 0.02 * load * random.nextGaussian(), load);
            }).toList();

            assertThat(UniversalScalabilityFit.fit(points).orElseThrow()).satisfies(law -> {
                assertThat(law.retrograde()).isFalse();
                assertThat(law.describe()).doesNotContain("falls");
                assertThat(law.figures()).extracting(NamedValue::name).doesNotContain("usl.peak");
            });
        }
    }

    @Test
    void throughput_that_is_lower_because_fewer_requests_arrive_has_not_fallen() {
        var slowed = points(995.6, 0.0267, 0.00769, 0, 40);
        double peak = UniversalScalabilityFit.fit(slowed).orElseThrow().peak();
        var drained = slowed.stream().map(point -> point.inFlight() <= peak
                ? point
                : new UniversalScalabilityFit.Point(point.inFlight(), point.throughput(), 0.5 * point.throughput()))
                .toList();

        assertThat(UniversalScalabilityFit.fit(drained).orElseThrow().retrograde()).isFalse();
    }

    private static List<UniversalScalabilityFit.Point> list(double[][] points) {
        return Arrays.stream(points)
                .map(point -> new UniversalScalabilityFit.Point(point[0], point[1], Double.POSITIVE_INFINITY)).toList();
    }

    private static List<UniversalScalabilityFit.Point> points(double lambda, double sigma, double kappa, double noise,
            long seed) {
        var random = new Random(seed);
        return IntStream.rangeClosed(1, 20).mapToObj(i -> {
            double n = 1.5 * i;
            double throughput = lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
            return new UniversalScalabilityFit.Point(n, throughput + noise * lambda * random.nextGaussian(),
                    Double.POSITIVE_INFINITY);
        }).toList();
    }
}

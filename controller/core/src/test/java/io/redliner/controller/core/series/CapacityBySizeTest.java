// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.sla.scalability.UniversalScalabilityLaw;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CapacityBySizeTest {

    private static final double[] SIZES = {1, 2, 4, 8, 16, 32};

    private static List<CapacityBySize.Point> points(double sigma, double kappa, double noise, Random random) {
        List<CapacityBySize.Point> points = new ArrayList<>();
        for (double size : SIZES) {
            double value = UniversalScalabilityLaw.at(100, sigma, kappa, size);
            double error = Math.max(noise, 1e-4) * value;
            points.add(new CapacityBySize.Point(size,
                    new Measurement(value * (1 + noise * random.nextGaussian()), error)));
        }
        return points;
    }

    @Test
    void finds_the_law_that_made_the_points() {
        CapacityBySize scaling = CapacityBySize.fit(points(0.03, 0.002, 0, new Random(1)))
                .orElseThrow();

        assertThat(scaling.lambda().value()).isEqualTo(100, within(0.1));
        assertThat(scaling.sigma().value()).isEqualTo(0.03, within(1e-4));
        assertThat(scaling.kappa().value()).isEqualTo(0.002, within(1e-5));
        assertThat(Objects.requireNonNull(scaling.peak()).value()).isEqualTo(Math.sqrt(0.97 / 0.002), within(0.1));
        assertThat(scaling.at(64)).hasValueSatisfying(value -> assertThat(value).isGreaterThan(0));
    }

    @Test
    void the_intervals_hold_what_they_say() {
        Random random = new Random(3);
        int series = 600;
        int lambda = 0;
        int sigma = 0;
        int kappa = 0;
        int peak = 0;
        int peaks = 0;
        for (int one = 0; one < series; one++) {
            CapacityBySize scaling = CapacityBySize.fit(points(0.03, 0.002, 0.02, random))
                    .orElseThrow();
            lambda += holds(scaling.lambda(), 100);
            sigma += holds(scaling.sigma(), 0.03);
            kappa += holds(scaling.kappa(), 0.002);
            if (scaling.peak() != null) {
                peaks++;
                peak += holds(scaling.peak(), Math.sqrt(0.97 / 0.002));
            }
        }
        assertThat((double) lambda / series).as("lambda").isBetween(0.92, 1.0);
        assertThat((double) sigma / series).as("sigma").isBetween(0.92, 1.0);
        assertThat((double) kappa / series).as("kappa").isBetween(0.92, 1.0);
        assertThat(peaks).isGreaterThan(series * 9 / 10);
        assertThat((double) peak / peaks).as("peak").isBetween(0.92, 1.0);
    }

    @Test
    void amdahls_law_holds_where_nothing_has_to_agree() {
        Random random = new Random(7);
        int series = 600;
        int sigma = 0;
        int ceiling = 0;
        for (int one = 0; one < series; one++) {
            AmdahlFit amdahl = CapacityBySize.fit(points(0.05, 0, 0.02, random)).orElseThrow().amdahl();
            assertThat(amdahl.bounded()).isTrue();
            sigma += holds(amdahl.sigma(), 0.05);
            ceiling += holds(amdahl.ceiling(), 100 / 0.05);
        }
        AmdahlFit exact = CapacityBySize.fit(points(0.05, 0, 0, random)).orElseThrow().amdahl();

        assertThat((double) sigma / series).as("sigma").isBetween(0.92, 1.0);
        assertThat((double) ceiling / series).as("ceiling").isBetween(0.92, 1.0);
        assertThat(exact.sigma().value()).isEqualTo(0.05, within(1e-6));
        assertThat(UniversalScalabilityLaw.at(100, 0.05, 0, 2 * exact.enough())
                / UniversalScalabilityLaw.at(100, 0.05, 0, exact.enough())).isEqualTo(1.1, within(1e-6));
    }

    @Test
    void work_without_a_serial_part_has_no_ceiling() {
        Random random = new Random(9);
        int bounded = 0;
        for (int one = 0; one < 300; one++) {
            AmdahlFit amdahl = CapacityBySize.fit(points(0, 0, 0.02, random)).orElseThrow().amdahl();
            bounded += amdahl.bounded() ? 1 : 0;
            assertThat(amdahl.sigma().low()).isNotNegative();
        }

        assertThat(bounded).as("a fortieth by chance").isLessThan(15);
    }

    private static int holds(CapacityBySize.Parameter parameter, double truth) {
        return parameter.low() <= truth && truth <= parameter.high() ? 1 : 0;
    }

    @Test
    void no_peak_is_reported_where_none_can_be_seen() {
        Random random = new Random(5);
        int peaks = 0;
        for (int one = 0; one < 300; one++) {
            peaks += CapacityBySize.fit(points(0.05, 0, 0.02, random)).orElseThrow().peak() == null ? 0 : 1;
        }
        CapacityBySize linear = CapacityBySize.fit(points(0, 0, 0, random)).orElseThrow();

        assertThat(peaks).isLessThan(15);
        assertThat(linear.peak()).isNull();
        assertThat(linear.at(64).orElseThrow()).isEqualTo(6400, within(10.0));
        assertThat(linear.at(65)).isEmpty();
    }

    @Test
    void too_few_sizes_or_too_similar_ones_give_no_law() {
        List<CapacityBySize.Point> points = points(0.03, 0.002, 0.01, new Random(1));

        assertThat(CapacityBySize.fit(points.subList(0, 3))).isEmpty();
        assertThat(CapacityBySize.fit(List.of(point(10), point(11), point(12), point(13), point(14))))
                .isEmpty();
    }

    private static CapacityBySize.Point point(double size) {
        return new CapacityBySize.Point(size, new Measurement(100 * size, 1));
    }
}

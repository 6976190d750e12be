// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownCapacityTest {

    private static final KnownCapacity KNOWN = new KnownCapacity(100, 90, 111, 3);

    private static CapacityEstimate found(double capacity, double low, double high) {
        return new CapacityEstimate(capacity, low, high, OptionalDouble.empty(), Optional.empty());
    }

    @Test
    void two_answers_of_one_width_meet_in_the_middle_and_are_narrower_together() {
        var both = KNOWN.with(found(106, 106 * 0.9, 106 * 1.11));

        assertThat(both.capacity()).isBetween(102.5, 103.8);
        assertThat(both.halfWidth()).isBetween(0.85 * KNOWN.halfWidth(), 0.92 * KNOWN.halfWidth());
        assertThat(both.runs()).isEqualTo(4);
    }

    @Test
    void the_surer_answer_counts_more() {
        assertThat(KNOWN.with(found(104, 103, 105)).capacity()).isBetween(103.5, 104.0);
        assertThat(KNOWN.with(found(110, 70, 170)).capacity()).isBetween(100.0, 101.0);
    }

    @Test
    void an_answer_that_contradicts_what_was_known_stands_alone() {
        assertThat(KNOWN.with(found(50, 45, 55))).isEqualTo(new KnownCapacity(50, 45, 55, 1));
        assertThat(KNOWN.with(found(200, 180, 220))).isEqualTo(new KnownCapacity(200, 180, 220, 1));
    }

    /** At 1 to 2 standard deviations the capacity may have moved a little: the narrow mean of both would be wrong then. */
    @Test
    void of_two_answers_that_lie_apart_the_wider_interval_is_taken() {
        assertThat(KNOWN.with(found(115, 103, 128))).isEqualTo(new KnownCapacity(115, 103, 128, 1));
    }

    @Test
    void the_interval_leans_to_the_side_of_the_later_run() {
        var both = KNOWN.with(found(100, 80, 105));

        assertThat(both.capacity()).isCloseTo(100, within(1e-9));
        assertThat(100 - both.low()).isGreaterThan(3 * (both.high() - 100));
    }

    @Test
    void an_answer_at_the_end_of_its_interval_is_combined() {
        assertThat(KNOWN.with(found(100, 100, 112)).low()).isLessThanOrEqualTo(100);
        assertThat(KNOWN.with(found(100, 100, 100))).extracting(KnownCapacity::capacity).isEqualTo(100.0);
    }

    private static CapacityEstimate found(double error, double common, SplittableRandom random) {
        double own = Math.sqrt(0.33) * common + Math.sqrt(0.67) * random.nextGaussian();
        double capacity = 100 * Math.exp(error * own);
        return found(capacity, capacity * Math.exp(-1.96 * error), capacity * Math.exp(1.96 * error));
    }

    private static KnownCapacity alone(CapacityEstimate estimate) {
        return new KnownCapacity(estimate.capacity(), estimate.low(), estimate.high(), 1);
    }

    /** The capacity stays; errors of two runs correlate by 0.33, as the lab measured them. */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.08})
    void many_runs_cover_the_capacity(double error) {
        var random = new SplittableRandom(1);
        int services = 2_000;
        int covered = 0;
        for (int service = 0; service < services; service++) {
            double common = random.nextGaussian();
            var known = alone(found(error, common, random));
            for (int run = 1; run < 5; run++) {
                known = known.with(found(error, common, random));
            }
            covered += known.low() <= 100 && 100 <= known.high() ? 1 : 0;
        }
        assertThat(covered / (double) services).isBetween(0.93, 0.99);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1, 1", "100, 101, 110, 1", "100, 90, 99, 1", "100, 90, Infinity, 1", "NaN, 90, 110, 1",
        "100, 90, 110, 0"})
    void what_is_no_capacity_is_refused(double capacity, double low, double high, int runs) {
        assertThatThrownBy(() -> new KnownCapacity(capacity, low, high, runs))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("runs");
    }
}

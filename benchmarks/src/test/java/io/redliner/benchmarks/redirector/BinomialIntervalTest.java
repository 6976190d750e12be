// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BinomialIntervalTest {

    @Test
    void of_many_draws_it_is_the_normal_one() {
        var interval = BinomialInterval.of(0.3, 100_000, 0.999);
        double half = 3.2905 * Math.sqrt(0.3 * 0.7 / 100_000);
        assertThat(interval.from()).isCloseTo(0.3 - half, within(2e-5));
        assertThat(interval.to()).isCloseTo(0.3 + half, within(2e-5));
    }

    @Test
    void of_few_hits_it_is_not_symmetric() {
        // Ten hits are expected, nearly Poisson: P(X < 2) = 0.0005, P(X > 22) = 0.0003, P(X > 21) = 0.0007.
        var interval = BinomialInterval.of(0.000_1, 100_000, 0.999);
        assertThat(interval.from()).isCloseTo(2e-5, within(1e-5));
        assertThat(interval.to()).isEqualTo(22e-5);
    }

    @Test
    void what_is_certain_has_no_width() {
        assertThat(BinomialInterval.of(0, 100, 0.999).contains(0)).isTrue();
        assertThat(BinomialInterval.of(0, 100, 0.999).contains(0.01)).isFalse();
        assertThat(BinomialInterval.of(1, 100, 0.999).contains(1)).isTrue();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineViewTest {

    private static final MathContext SIX = new MathContext(6, RoundingMode.HALF_EVEN);

    @ParameterizedTest
    @CsvSource({"0, 0", "0.1, 0.1", "0.30000000000000004, 0.3", "1234567.8, 1234570", "-0.0123456789, -0.0123457",
        "999999.7, 1000000", "1e300, 1e300", "1e-300, 1e-300", "0.000001234567891, 0.00000123457"})
    void a_number_has_six_digits(double value, double rounded) {
        assertThat(TimelineView.rounded(value)).isEqualTo(rounded);
    }

    @Test
    void no_value_is_written_longer_than_by_exact_arithmetic() {
        Random random = new Random(1);
        for (int tries = 0; tries < 100_000; tries++) {
            double value = random.nextGaussian() * Math.pow(10, random.nextInt(24) - 12);

            assertThat(TimelineView.rounded(value)).as("%s", value)
                    .isEqualTo(new BigDecimal(value).round(SIX).doubleValue());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class NumberFormatterTest {

    @Test
    void numbers_have_digits_that_say_something() {
        assertThat(NumberFormatter.count(1234.56)).isEqualTo("1235");
        assertThat(NumberFormatter.count(28.44)).isEqualTo("28.4");
        assertThat(NumberFormatter.count(2.0)).isEqualTo("2");
        assertThat(NumberFormatter.count(0.00123)).isEqualTo("0.0012");
        assertThat(NumberFormatter.count(null)).isEqualTo("-");
    }

    @Test
    void units_are_those_that_are_easy_to_read() {
        assertThat(NumberFormatter.seconds(0.1324)).isEqualTo("132 ms");
        assertThat(NumberFormatter.seconds(0.00042)).isEqualTo("0.42 ms");
        assertThat(NumberFormatter.seconds(12.34)).isEqualTo("12.3 s");
        assertThat(NumberFormatter.percent(0.31234)).isEqualTo("31.2 %");
        assertThat(NumberFormatter.percent(0.001)).isEqualTo("0.10 %");
        assertThat(NumberFormatter.value(0.2, "seconds")).isEqualTo("200 ms");
        assertThat(NumberFormatter.value(700.0, "requests/s")).isEqualTo("700 requests/s");
    }

    @Test
    void times_are_clocks() {
        assertThat(NumberFormatter.clock(Duration.ofSeconds(65))).isEqualTo("1:05");
        assertThat(NumberFormatter.clock(Duration.ofSeconds(3725))).isEqualTo("1:02:05");
        assertThat(NumberFormatter.clock(Duration.ofSeconds(-3))).isEqualTo("0:00");
    }

    @Test
    void an_estimate_without_an_upper_end_is_at_least_its_lower() {
        assertThat(interval("{'capacity': 284, 'low': 262, 'high': 310}"))
                .isEqualTo("284 requests/s (95 %: 262 to 310)");
        assertThat(interval("{'capacity': 284, 'low': 262}")).isEqualTo("at least 262 requests/s");
        assertThat(interval("{'capacity': 284, 'high': 0}")).isEqualTo("at least 284 requests/s");
    }

    private static String interval(String estimate) {
        return NumberFormatter.interval(new JsonMapper().readTree(estimate.replace('\'', '"')));
    }
}

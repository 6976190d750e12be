// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "0.5s,PT0.5S", "500us,PT0.0005S", "1m30s,PT1M30S", "1.5h,PT1H30M", "2h,PT2H",
        "0s,PT0S",
        "1h2m3s4ms5us,PT1H2M3.004005S", "0.000001s,PT0.000001S", "999999999h,PT999999999H"})
    void numbers_with_units_are_durations(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "30 m", "s", "30sec", "1s1m", "1s1s", "-5s", "+5s", "inf", "infinity", "1e3s",
        ".5s",
        "5.s", "1\u0663s", "PT5S", "99999999999s"})
    void anything_else_is_refused_with_how_to_write_one(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("is no duration").hasMessageContaining("500us or 1m30s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"500ns", "0.5us", "0.0000001s", "1s500ns"})
    void what_is_finer_than_a_microsecond_is_refused_with_that_reason(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).hasMessageContaining("finer than a microsecond");
    }

    @Test
    void one_of_two_durations_is_the_longer_one() {
        Duration second = Duration.ofSeconds(1);
        Duration minute = Duration.ofMinutes(1);

        assertThat(Durations.longer(second, minute)).isEqualTo(minute);
        assertThat(Durations.longer(minute, second)).isEqualTo(minute);
        assertThat(Durations.shorter(second, minute)).isEqualTo(second);
        assertThat(Durations.shorter(minute, second)).isEqualTo(second);
    }
}

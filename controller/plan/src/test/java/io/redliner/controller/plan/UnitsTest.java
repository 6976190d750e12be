// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {

    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "30s,PT30S", "1m30s,PT1M30S", "30m,PT30M", "2h,PT2H", "1h1ms,PT1H0.001S",
        "0.5s,PT0.5S", "5000us,PT0.005S"})
    void reads_and_writes_durations(String text, Duration duration) {
        assertThat(DurationText.parse(text)).isEqualTo(duration);
        assertThat(DurationText.parse(DurationText.write(duration))).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "30 m", "500us", "1.5ms", "inf", "500ns", "s", "30sec", "1s1m", "0s", "-1s",
        "99999999999s"})
    void rejects_what_is_no_duration(String text) {
        assertThatThrownBy(() -> DurationText.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"60%,600000", "0.5%,5000", "600000ppm,600000", "100%,1000000", "0%,0", "0.0001%,1"})
    void reads_shares(String text, int ppm) {
        assertThat(Share.parse(text).ppm()).isEqualTo(ppm);
        assertThat(Share.parse(Share.parse(text).toString())).isEqualTo(new Share(ppm));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "0.6", "101%", "-1%", "0.00001%", "1000001ppm", "60 percent", "60s", "%"})
    void rejects_what_is_no_share(String text) {
        assertThatThrownBy(() -> Share.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0.001,0.001", "0.1%,0.001", "0.01%,0.0001", "1,1", "100%,1", "0,0", "1e-05,0.00001", "1e-3%,0.00001"})
    void reads_ratios(String text, double ratio) {
        assertThat(Ratio.parse(text).asDouble()).isEqualTo(ratio);
        assertThat(Ratio.parse(Ratio.parse(text).toString())).isEqualTo(Ratio.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.1", "101%", "-0.1", "1e-30", "0.1x"})
    void rejects_what_is_no_ratio(String text) {
        assertThatThrownBy(() -> Ratio.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"2x,2", "1.5x,1.5", "10x,10"})
    void reads_factors(String text, double factor) {
        assertThat(Factor.parse(text).asDouble()).isEqualTo(factor);
        assertThat(Factor.parse(Factor.parse(text).toString())).isEqualTo(Factor.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "1x", "0.5x", "101x", "x", "2X"})
    void rejects_what_is_no_factor(String text) {
        assertThatThrownBy(() -> Factor.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}

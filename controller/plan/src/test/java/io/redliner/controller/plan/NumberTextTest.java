// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {

    @ParameterizedTest
    @CsvSource({"0, 0", "-0.0, 0", "1e-05, 0.00001", "2.1e2, 210", "2.1E+2, 210", "0.10, 0.1", "-3, -3",
        "999999999999999, 999999999999999", "1e14, 100000000000000", "1e-15, 0.000000000000001", "007, 7"})
    void a_number_is_read_exactly_however_it_is_written(String text, BigDecimal number) {
        assertThat(NumberText.parse(text, "is none").toPlainString()).isEqualTo(number.toPlainString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", ".5", "5.", "1e", "e5", "NaN", "Infinity", "0x10", "1_000", "1,5", "--1", "1f",
        "1e9999"})
    void what_is_no_number_is_refused_in_the_readers_words(String text) {
        assertThatThrownBy(() -> NumberText.parse(text, "is no rate")).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("is no rate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e15", "1e999", "1e-16", "1234567890123456", "0.1234567890123456"})
    void numbers_out_of_all_proportion_are_refused(String text) {
        assertThatThrownBy(() -> NumberText.parse(text, "is no rate")).hasMessageContaining("15 digits");
    }

    @ParameterizedTest
    @CsvSource({"200, 200", "2e2, 200", "200.0, 200", "-1, -1", "0e0, 0"})
    void whole_numbers_are_whole_however_they_are_written(String text, long number) {
        assertThat(NumberText.parseWhole(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1e-1", "many", ""})
    void parts_are_no_whole_numbers(String text) {
        assertThatThrownBy(() -> NumberText.parseWhole(text)).hasMessage("is no whole number");
    }
}

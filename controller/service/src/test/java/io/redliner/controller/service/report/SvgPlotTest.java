// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.NumberText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SvgPlotTest {

    @ParameterizedTest
    @CsvSource({"96, 100", "100, 100", "45, 50", "0.4, 0.5", "0, 1", "130, 100"})
    void an_axis_of_percents_ends_at_100_unless_a_value_is_beyond(double highest, String last) {
        String marks = new SvgPlot(10, highest, 100).axes("across", SvgPlot.Axis::ticks, NumberText::brief, "%")
                .marks();

        assertThat(marks).contains("<text class='tick end'").containsPattern(
                "(?s)>" + last.replace(".", "\\.") + "</text>\n(?!.*tick end)");
    }

    @ParameterizedTest
    @CsvSource({"96, 150", "230, 250"})
    void another_axis_ends_at_a_round_number(double highest, String last) {
        assertThat(new SvgPlot(10, highest).axes("across", SvgPlot.Axis::ticks, NumberText::brief, "ms").marks())
                .containsPattern("(?s)>" + last + "</text>\n(?!.*tick end)");
    }
}

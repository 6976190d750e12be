// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cronutils.model.time.ExecutionTime;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {

    private static final ZonedDateTime SATURDAY = LocalDate.of(2026, 11, 28).atTime(12, 0).atZone(ZoneOffset.UTC);

    /** The days of the next week on which it is due. */
    private static List<String> days(String expression) {
        ExecutionTime times = ExecutionTime.forCron(new Timing.Cron(expression).parsed());
        List<String> days = new ArrayList<>();
        ZonedDateTime at = times.nextExecution(SATURDAY).orElseThrow();
        while (at.isBefore(SATURDAY.plusDays(7))) {
            days.add(at.getDayOfWeek().name().substring(0, 3));
            at = times.nextExecution(at).orElseThrow();
        }
        return days;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"SUN-TUE|SUN,MON,TUE", "0-2|SUN,MON,TUE", "7-2|SUN,MON,TUE",
        "sun-tue|SUN,MON,TUE", "FRI-SUN|SUN,FRI,SAT", "5-7|SUN,FRI,SAT", "5-0|SUN,FRI,SAT",
        "FRI-MON|SUN,MON,FRI,SAT", "SAT-SUN|SUN,SAT", "SUN-SUN|SUN", "0-7|SUN,MON,TUE,WED,THU,FRI,SAT",
        "MON-FRI|MON,TUE,WED,THU,FRI",
        "SUN|SUN", "SUN-MON,THU|SUN,MON,THU", "0|SUN", "7|SUN", "SAT-MON/2|MON,SAT", "SUN-SAT/3|SUN,WED,SAT",
        "MON-FRI/2|MON,WED,FRI", "5-7/2|SUN,FRI", "FRI-TUE/3,WED|MON,WED,FRI", "THU-WED/4|MON,THU", "0-7/7|SUN"})
    void days_of_the_week_are_those_of_unix(String days, String due) {
        assertThat(days("0 9 * * " + days)).containsExactlyInAnyOrder(due.split(","));
    }

    @Test
    void the_expression_stays_as_it_was_written() {
        assertThat(new Timing.Cron(" 0  9 * * SUN-TUE").expression()).isEqualTo("0 9 * * SUN-TUE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOV-FEB", "11-2"})
    void months_that_run_backwards_are_refused_with_what_to_write(String months) {
        assertThatThrownBy(() -> new Timing.Cron("0 9 * " + months + " *"))
                .hasMessageContaining("the range " + months + " of months runs backwards")
                .hasMessageContaining("DEC,JAN-");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0 9 28-3 * *|28-3 of days of the month|28-31,1-3",
        "50-10 9 * * *|minutes|50-59,0-10",
        "0 22-6 * * *|22-6 of hours|22-23,0-6", "0 22-6/2 * * *|22-6/2 of hours|each with the values that you mean",
        "0 9 * NOV-FEB/2 *|NOV-FEB/2 of months|NOV-DEC,JAN-FEB"})
    void a_range_that_runs_backwards_is_named_with_what_to_write(String expression, String range, String write) {
        assertThatThrownBy(() -> new Timing.Cron(expression)).hasMessageContaining(range)
                .hasMessageContaining("runs backwards").hasMessageContaining(write);
    }

    @Test
    void a_month_that_there_is_none_of_is_not_called_a_range_that_runs_backwards() {
        assertThatThrownBy(() -> new Timing.Cron("0 9 * MAR-FOO *")).hasMessageContaining("is no cron expression")
                .hasMessageNotContaining("backwards");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 9 * * FUNDAY", "0 9 * * MON-FUN", "0 9 * * 1-9", "0 25 * * *", "0 9 * *",
        "0 9 * * MON-FRI/0", "0 9 * * MON-FUN/2", "0 9 * * 1-9/2"})
    void what_is_no_expression_is_refused(String expression) {
        assertThatThrownBy(() -> new Timing.Cron(expression)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no cron expression");
    }
}

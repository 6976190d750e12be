// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redliner.cli.commands.InstantText.Side;
import java.time.Instant;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {

    /** A Wednesday. */
    private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-12-23T15:30:00+01:00[Europe/Berlin]");

    @ParameterizedTest
    @CsvSource({"now, 2026-12-23T14:30:00Z, 2026-12-23T14:30:00Z", "2h, 2026-12-23T12:30:00Z, 2026-12-23T16:30:00Z",
        "1h30m, 2026-12-23T13:00:00Z, 2026-12-23T16:00:00Z", "2d, 2026-12-21T14:30:00Z, 2026-12-25T14:30:00Z",
        "1d12h, 2026-12-22T02:30:00Z, 2026-12-25T02:30:00Z", "2h ago, 2026-12-23T12:30:00Z, 2026-12-23T12:30:00Z",
        "-2h, 2026-12-23T12:30:00Z, 2026-12-23T12:30:00Z", "in 2h, 2026-12-23T16:30:00Z, 2026-12-23T16:30:00Z",
        "+2h, 2026-12-23T16:30:00Z, 2026-12-23T16:30:00Z", "03:00, 2026-12-23T02:00:00Z, 2026-12-24T02:00:00Z",
        "18:00, 2026-12-22T17:00:00Z, 2026-12-23T17:00:00Z", "15:30, 2026-12-23T14:30:00Z, 2026-12-24T14:30:00Z",
        "tomorrow 03:00, 2026-12-24T02:00:00Z, 2026-12-24T02:00:00Z",
        "Tomorrow  at 3:00, 2026-12-24T02:00:00Z, 2026-12-24T02:00:00Z",
        "tomorrow, 2026-12-23T23:00:00Z, 2026-12-23T23:00:00Z",
        "today 18:00:30, 2026-12-23T17:00:30Z, 2026-12-23T17:00:30Z",
        "yesterday 09:00, 2026-12-22T08:00:00Z, 2026-12-22T08:00:00Z",
        "friday 18:00, 2026-12-18T17:00:00Z, 2026-12-25T17:00:00Z", "fri, 2026-12-17T23:00:00Z, 2026-12-24T23:00:00Z",
        "wednesday 09:00, 2026-12-23T08:00:00Z, 2026-12-30T08:00:00Z",
        "wednesday 18:00, 2026-12-16T17:00:00Z, 2026-12-23T17:00:00Z",
        "wed, 2026-12-22T23:00:00Z, 2026-12-29T23:00:00Z",
        "2026-12-24, 2026-12-23T23:00:00Z, 2026-12-23T23:00:00Z",
        "2026-12-24 18:00, 2026-12-24T17:00:00Z, 2026-12-24T17:00:00Z",
        "2026-12-24T18:00, 2026-12-24T17:00:00Z, 2026-12-24T17:00:00Z",
        "2026-12-24T18:00:00Z, 2026-12-24T18:00:00Z, 2026-12-24T18:00:00Z",
        "2026-12-24T18:00:00.5+02:00, 2026-12-24T16:00:00.500Z, 2026-12-24T16:00:00.500Z"})
    void times_are_read_as_people_write_them(String text, Instant past, Instant future) {
        assertThat(InstantText.parse(text, NOW, Side.PAST)).isEqualTo(past);
        assertThat(InstantText.parse(text, NOW, Side.FUTURE)).isEqualTo(future);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "2", "2 hours", "2h 30", "in", "25:00", "tomorrow 25:00", "tomorrow noon",
        "2026-02-30", "24.12.2026", "2026-12-24T18:00:00X", "in 2h ago", "99999999999h", "10:00pm", "1h1d"})
    void what_is_no_time_gets_the_way_to_write_one(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> InstantText.parse(text, NOW, Side.FUTURE))
                .withMessageContaining("is no time; write it as 2h, 'tomorrow 03:00'");
    }

    @ParameterizedTest
    @CsvSource({"monday 06:00, 2027-01-04T05:00:00Z", "friday 20:00, 2027-01-01T19:00:00Z",
        "friday 18:00, 2027-01-08T17:00:00Z", "06:00, 2027-01-02T05:00:00Z", "20:00, 2027-01-01T19:00:00Z",
        "2h, 2026-12-23T16:30:00Z", "tomorrow 03:00, 2026-12-24T02:00:00Z", "2027-01-05, 2027-01-04T23:00:00Z"})
    void a_weekday_or_a_time_alone_is_meant_after_another_instant(String text, Instant expected) {
        ZonedDateTime other = ZonedDateTime.parse("2027-01-01T18:00:00+01:00[Europe/Berlin]");

        assertThat(InstantText.parse(text, NOW, other, Side.FUTURE)).isEqualTo(expected);
    }

    @Test
    void an_hour_that_a_clock_change_leaves_out_is_the_one_after_it() {
        ZonedDateTime before = ZonedDateTime.parse("2026-03-28T12:00:00+01:00[Europe/Berlin]");

        assertThat(InstantText.parse("tomorrow 02:30", before, Side.FUTURE)).isEqualTo("2026-03-29T01:30:00Z");
        assertThat(InstantText.parse("1d", before, Side.FUTURE)).isEqualTo("2026-03-29T11:00:00Z");
    }

    @Test
    void an_instant_is_shown_with_its_weekday_and_its_zone() {
        assertThat(InstantText.show(Instant.parse("2026-12-24T02:00:00Z"), NOW))
                .isEqualTo("Thu 2026-12-24 03:00:00 Europe/Berlin");
    }
}

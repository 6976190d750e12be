// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextLayoutTest {

    private static final List<String> HEADS = List.of("LIVE RUN", "SERVICE", "PHASE", "LEFT");

    private static final List<List<String>> ROWS = List.of(List.of("6cfe0e3a", "shop", "Ramping", "3:30"),
            List.of("77aa0e99", "profile-backend", "Pending", "-"));

    @Test
    void a_table_that_fits_has_a_row_for_each() {
        assertThat(new TextLayout(60).table(HEADS, ROWS)).containsExactly(
                "LIVE RUN   SERVICE           PHASE     LEFT", "6cfe0e3a   shop              Ramping   3:30",
                "77aa0e99   profile-backend   Pending   -");
    }

    @Test
    void a_table_that_is_too_wide_becomes_a_paragraph_for_each_row_in_which_nothing_is_lost() {
        assertThat(new TextLayout(30).table(HEADS, ROWS)).containsExactly("LIVE RUN 6cfe0e3a",
                "  service shop   phase Ramping", "  left 3:30", "LIVE RUN 77aa0e99", "  service profile-backend",
                "  phase Pending");
    }

    @Test
    void lines_break_between_words_and_go_on_indented() {
        assertThat(new TextLayout(20).wrap("Traffic is natural, measured, since noon."))
                .containsExactly("Traffic is natural,", "  measured, since", "  noon.");
        assertThat(new TextLayout(20).wrap("  guard errors HOLDS: 0.1 %"))
                .containsExactly("  guard errors", "    HOLDS: 0.1 %");
    }

    @Test
    void a_word_that_is_longer_than_a_line_stays_whole() {
        String id = "6cfe0e3a-1111-4222-8333-444444444444";

        assertThat(new TextLayout(20).wrap("See: redliner status " + id + " there"))
                .containsExactly("See: redliner status", "  " + id, "  there");
        assertThat(new TextLayout(20).wrap(id)).containsExactly(id);
        assertThat(new TextLayout(20).wrap(" ".repeat(50) + id).size()).isLessThan(3);
    }

    @ParameterizedTest
    @CsvSource({"60, 60", "20, 20", "19, 2147483647", "'', 2147483647", "-5, 2147483647", "wide, 2147483647",
        "99999, 2147483647"})
    void columns_that_no_terminal_has_are_no_limit(String columns, int width) {
        assertThat(TextLayout.parse(columns).width()).isEqualTo(width);
    }
}

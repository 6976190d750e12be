// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.cli.watch.TerminalFrame.Symbols;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalSymbolsTest {

    @Test
    void a_bar_is_full_at_the_limit_and_never_before() {
        assertThat(Symbols.ASCII.bar(0.5, 10)).isEqualTo("#####-----");
        assertThat(Symbols.ASCII.bar(0.999, 10)).isEqualTo("#########-");
        assertThat(Symbols.ASCII.bar(3, 10)).isEqualTo("##########");
        assertThat(Symbols.ASCII.bar(Double.NaN, 4)).isEqualTo("----");
    }

    @Test
    void a_sparkline_shows_the_newest_values_and_leaves_gaps() {
        assertThat(Symbols.UNICODE.sparkline(List.of(0.0, 50.0, 100.0, 900.0), 100, 10)).isEqualTo("▁▅██");
        assertThat(Symbols.UNICODE.sparkline(List.of(1.0, 2.0, 100.0), 100, 1)).isEqualTo("█");
        assertThat(Symbols.ASCII.sparkline(List.of(0.0, Double.NaN, 99.0), 100, 10)).isEqualTo("_ #");
        assertThat(Symbols.ASCII.sparkline(List.of(5.0), 0, 10)).as("nothing to compare with").isEqualTo("_");
        assertThat(Symbols.ASCII.sparkline(List.of(), 1, 10)).isEmpty();
    }
}

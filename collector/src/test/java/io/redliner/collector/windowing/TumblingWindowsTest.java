// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TumblingWindowsTest {

    private final TumblingWindows grid = new TumblingWindows(1_000);

    @Test
    void windows_begin_at_multiples_of_their_length() {
        assertThat(grid.startOf(12_345)).isEqualTo(12_000);
        assertThat(grid.endOf(12_345)).isEqualTo(13_000);
        assertThat(grid.startOf(12_000)).isEqualTo(12_000);
        assertThat(grid.startOf(-1)).isEqualTo(-1_000);
    }

    @Test
    void a_finer_length_begins_at_a_boundary_of_both() {
        grid.change(100, 12_345);

        assertThat(grid.startOf(12_950)).isEqualTo(12_000);
        assertThat(grid.endOf(12_950)).isEqualTo(13_000);
        assertThat(grid.startOf(13_150)).isEqualTo(13_100);
        assertThat(grid.endOf(13_150)).isEqualTo(13_200);
    }

    @Test
    void a_coarser_length_begins_at_a_boundary_of_both() {
        grid.change(100, 12_345);
        grid.change(500, 14_250);
        grid.change(1_000, 15_000);

        assertThat(grid.endOf(14_999)).isEqualTo(15_000);
        assertThat(grid.startOf(14_999)).isEqualTo(14_500);
        assertThat(grid.startOf(14_499)).isEqualTo(14_400);
        assertThat(grid.startOf(15_800)).isEqualTo(15_000);
    }

    @Test
    void what_is_behind_is_forgotten_and_what_is_ahead_is_not() {
        grid.change(100, 12_345);
        grid.change(1_000, 14_345);

        grid.forgetBefore(13_500);

        assertThat(grid.lengthAt(13_500)).isEqualTo(100);
        assertThat(grid.lengthAt(15_000)).isEqualTo(1_000);
    }

    @Test
    void a_length_that_does_not_tile_the_one_before_begins_at_the_next_boundary_of_both() {
        grid.change(1_500, 12_345);

        assertThat(grid.endOf(14_999)).isEqualTo(15_000);
        assertThat(grid.startOf(15_800)).isEqualTo(15_000);
        assertThat(grid.endOf(15_800)).isEqualTo(16_500);
    }
}

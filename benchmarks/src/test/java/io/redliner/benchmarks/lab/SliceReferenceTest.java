// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.benchmarks.lab.report.AccuracyStatistics;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SliceReferenceTest {

    private static final AccuracyStatistics GOOD = new AccuracyStatistics(56, 0.012, 0.05, 0, 0.9375, 0.03, 140, 200,
            1_000, 3_000, 900, 10, 5, 0,
            1, 0, 0, 0, 0, 0, 0);

    @Test
    void the_same_figures_are_not_worse() {
        assertThat(SliceReference.of(GOOD).worseIn(GOOD)).isEmpty();
    }

    @Test
    void a_figure_beyond_its_tolerance_is_named() {
        // given
        var worse = new AccuracyStatistics(56, 0.018, 0.08, 0, 0.86, 0.03, 162, 200, 1_301, 3_000, 900, 10, 5, 0.036, 1,
                0,
                0, 0, 0, 0,
                0);

        // then
        assertThat(SliceReference.of(GOOD).worseIn(worse)).hasSize(SliceStatistic.values().length)
                .anyMatch(words -> words.startsWith("median error: 0.0180, recorded 0.0120, allowed 0.0170"));
    }

    @Test
    void a_figure_that_is_not_a_number_is_worse() {
        // given
        var unknown = new AccuracyStatistics(56, Double.NaN, 0.05, 0, 0.9375, 0.03, 140, 200, 1_000, 3_000, 900, 10, 5,
                0, 1,
                0, 0, 0,
                0, 0, 0);

        // then
        assertThat(SliceReference.of(GOOD).worseIn(unknown)).hasSize(1);
    }

    @Test
    void what_is_written_is_read_again(@TempDir Path folder) throws Exception {
        // given
        var file = folder.resolve("slice.csv");
        var record = SliceReference.of(GOOD);

        // when
        record.write(file);

        // then
        assertThat(SliceReference.read(file).figures()).containsExactlyInAnyOrderEntriesOf(record.figures());
    }
}

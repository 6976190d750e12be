// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.benchmarks.lab.report.AccuracyStatistics;
import io.redliner.benchmarks.lab.report.ConsoleReport;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the search got better, or when worse was agreed to: AccuracyLab record, see the README. */
@Tag("soak")
class AccuracySliceTest {

    @Test
    void the_search_is_as_accurate_as_sure_as_gentle_and_as_fast_as_recorded() throws Exception {
        // given
        var recorded = SliceReference
                .read(Path.of(Objects.requireNonNull(getClass().getResource("slice.csv")).toURI()));

        // when
        try (var workers = Executors.newFixedThreadPool(2)) {
            var runs = RegressionSlice.run(workers);
            runs.forEach(run -> System.out.println(ConsoleReport.row(run)));

            // then
            assertThat(recorded.worseIn(AccuracyStatistics.of(runs))).isEmpty();
        }
    }
}

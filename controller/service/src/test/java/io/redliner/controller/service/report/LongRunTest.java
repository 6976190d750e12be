// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.JudgedWindow;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A day of windows of 1 s. */
@Execution(ExecutionMode.CONCURRENT)
class LongRunTest {

    private static final long DAY = 86_400;

    /** Keeps no window alive itself, and counts how many others do. */
    private static long stillHeld(WindowSource.Taker taker) throws IOException {
        List<WeakReference<JudgedWindow>> seen = new ArrayList<>();
        for (long number = 0; number < DAY; number++) {
            JudgedWindow window = ReportExamples.window(number, "latency");
            taker.take(window);
            if (number % 100 == 0) {
                seen.add(new WeakReference<>(window));
            }
        }
        System.gc();
        return seen.stream().filter(reference -> reference.get() != null).count();
    }

    @Test
    void rows_are_written_and_forgotten() throws IOException {
        ReportExamples.Counted out = new ReportExamples.Counted();
        List<Long> held = new ArrayList<>();

        new CsvReport(out, List.of("latency")).write("run", false, taker -> held.add(stillHeld(taker)));

        assertThat(held.getFirst()).isLessThan(10);
        assertThat(out.written.get()).isGreaterThan(DAY * 100);
    }

    @Test
    void a_day_is_summed_up_in_as_many_buckets_as_a_minute_and_no_extreme_is_lost() throws IOException {
        WindowSummary summary = new WindowSummary();

        assertThat(stillHeld(summary)).isLessThan(10);

        List<WindowBucket> buckets = summary.chartData().buckets();
        assertThat(buckets).hasSizeBetween(ChartData.MAX_BUCKETS / 2, ChartData.MAX_BUCKETS);
        assertThat(buckets.stream().mapToLong(WindowBucket::windows).sum()).isEqualTo(DAY);
        assertThat(buckets.stream().mapToLong(WindowBucket::breached).sum())
                .isEqualTo(summary.rules().getFirst().breached())
                .isPositive();
        double slowest = summary.rules().getFirst().worst().value() == null
                ? 0
                : summary.rules().getFirst().worst().value();
        assertThat(buckets.stream().mapToDouble(bucket -> bucket.p99() == null ? 0 : bucket.p99()).max())
                .hasValue(slowest);
        assertThat(ReportExamples.html(ReportExamples.report(summary, "endurance", "CAPACITY_FOUND", "x"), summary)
                .length())
                .isLessThan(400_000);
    }
}

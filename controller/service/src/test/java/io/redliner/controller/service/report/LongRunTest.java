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

    @Test
    void rows_are_written_and_forgotten() throws IOException {
        ReportExamples.Counted out = new ReportExamples.Counted();
        List<WeakReference<JudgedWindow>> seen = new ArrayList<>();

        new CsvReport(out, List.of("latency")).write("run", false, ReportExamples.windows(DAY, "latency")
                .peek(window -> seen.add(new WeakReference<>(window))));

        System.gc();
        assertThat(seen.stream().filter(reference -> reference.get() != null).count()).isLessThan(10);
        assertThat(out.written.get()).isGreaterThan(DAY * 100);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.controller.core.run.RedirectorReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedirectorReportQueueTest {

    private final RedirectorReportQueue waiting = new RedirectorReportQueue();

    private static RedirectorReport report(String redirector, long sequence, ReportedLeaseState state) {
        return new RedirectorReport(redirector, "run", 1, sequence, state, "", List.of(), List.of());
    }

    @Test
    void what_is_true_now_takes_the_place_of_what_was() {
        RedirectorReportQueue.Place place = waiting.add("shop", report("r1", 1, ReportedLeaseState.APPLIED))
                .orElseThrow();

        assertThat(waiting.add("shop", report("r1", 2, ReportedLeaseState.APPLIED))).isEmpty();
        assertThat(waiting.add("shop", report("r2", 1, ReportedLeaseState.APPLIED))).as("another redirector")
                .isPresent();
        assertThat(waiting.add("bakery", report("r1", 1, ReportedLeaseState.APPLIED))).as("another service")
                .isPresent();

        assertThat(place.take()).contains(report("r1", 2, ReportedLeaseState.APPLIED));
        assertThat(place.take()).isEmpty();
        assertThat(waiting.add("shop", report("r1", 3, ReportedLeaseState.APPLIED))).as("nothing waits").isPresent();
    }

    @Test
    void a_report_of_a_failure_is_delivered_also_when_a_better_one_follows() {
        RedirectorReportQueue.Place bad = waiting.add("shop", report("r1", 1, ReportedLeaseState.EXPIRED))
                .orElseThrow();
        RedirectorReportQueue.Place good = waiting.add("shop", report("r1", 2, ReportedLeaseState.APPLIED))
                .orElseThrow();

        assertThat(bad.take()).contains(report("r1", 1, ReportedLeaseState.EXPIRED));
        assertThat(waiting.add("shop", report("r1", 3, ReportedLeaseState.APPLIED))).isEmpty();
        assertThat(good.take()).contains(report("r1", 3, ReportedLeaseState.APPLIED));
    }
}

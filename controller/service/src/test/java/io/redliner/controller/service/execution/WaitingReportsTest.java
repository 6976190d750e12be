// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.LeaseState;
import io.redliner.controller.core.run.RedirectorReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingReportsTest {

    private final WaitingReports waiting = new WaitingReports();

    private static RedirectorReport report(String redirector, long sequence, LeaseState state) {
        return new RedirectorReport(redirector, "run", 1, sequence, state, "", List.of(), List.of());
    }

    @Test
    void what_is_true_now_takes_the_place_of_what_was() {
        WaitingReports.Place place = waiting.add("shop", report("r1", 1, LeaseState.APPLIED)).orElseThrow();

        assertThat(waiting.add("shop", report("r1", 2, LeaseState.APPLIED))).isEmpty();
        assertThat(waiting.add("shop", report("r2", 1, LeaseState.APPLIED))).as("another redirector").isPresent();
        assertThat(waiting.add("bakery", report("r1", 1, LeaseState.APPLIED))).as("another service").isPresent();

        assertThat(place.take()).contains(report("r1", 2, LeaseState.APPLIED));
        assertThat(place.take()).isEmpty();
        assertThat(waiting.add("shop", report("r1", 3, LeaseState.APPLIED))).as("nothing waits").isPresent();
    }

    @Test
    void bad_news_is_heard_also_when_better_news_follows() {
        WaitingReports.Place bad = waiting.add("shop", report("r1", 1, LeaseState.EXPIRED)).orElseThrow();
        WaitingReports.Place good = waiting.add("shop", report("r1", 2, LeaseState.APPLIED)).orElseThrow();

        assertThat(bad.take()).contains(report("r1", 1, LeaseState.EXPIRED));
        assertThat(waiting.add("shop", report("r1", 3, LeaseState.APPLIED))).isEmpty();
        assertThat(good.take()).contains(report("r1", 3, LeaseState.APPLIED));
    }
}
